// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Wallet of a seller that pays itself: an ERC-1271 contract that accepts every signature. Its address is derived from the
/// seed and needs no private key. On Base there is no contract at this address.
contract SandboxSmartWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}
