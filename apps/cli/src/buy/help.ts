/** What all commands that buy something say of paying. */
export const BUY_HELP = `
Paying
  The price is asked first and shown, and nothing is signed before you agree:
  on the terminal, or beforehand with --yes. A quote is refused that is above
  the limit, on another network, in another token than its USDC, for another
  address than the one asked, or that wants more than one transfer of its price.

  The wallet is the private key in the variable TOUCHSTONE_KEY. It is never
  shown, and cannot be an argument, since others on the machine can read those.
  Take a wallet for this alone, with no more in it than you mean to spend.
  --sandbox pays with the wallet that the sandbox keeps for its visitors.

  One payment buys one result. When the answer is lost, the same payment is
  sent again a few times; after that it is kept, and the same command fetches
  within a day what it has bought; likewise when it is refused and may have been
  charged before. Kept payments are in $XDG_STATE_HOME/touchstone
  (~/.local/state/touchstone). Of several runs of the same command at once one
  buys, and the others end.

Environment
  TOUCHSTONE_KEY, TOUCHSTONE_SERVICE, TOUCHSTONE_MAX_USD, TOUCHSTONE_NETWORK
`;
