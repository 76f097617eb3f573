/** Ledger: the user's balance, and the ways to add to the balance. */
export { Wallet } from './wallet.tsx'
