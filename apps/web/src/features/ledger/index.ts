/** Ledger: the user's balance, and how to add to it. */
export { Wallet } from './wallet.tsx'
