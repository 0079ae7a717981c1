// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The wallet of a seller who pays itself: a contract (ERC-1271) that says yes to every signature, so that nobody needs
/// a key to its address, which on Base is an address like any other.
contract SandboxSmartWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}
