/** Wallet: what somebody has, and how more of it is added. */
export { Wallet } from './wallet.tsx'
