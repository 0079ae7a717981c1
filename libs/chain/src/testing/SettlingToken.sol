// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Emits the logs that USDC emits for transfers, transfers with authorization and batches of both. It checks no balances
/// and no signatures, because tests read the logs only.
contract SettlingToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    struct Payment {
        address from;
        address to;
        uint256 value;
        bool signed;
    }

    function pay(Payment[] calldata payments) external {
        for (uint256 i = 0; i < payments.length; i++) {
            if (payments[i].signed) emit AuthorizationUsed(payments[i].from, keccak256(abi.encode(block.number, i)));
            emit Transfer(payments[i].from, payments[i].to, payments[i].value);
        }
    }
}
