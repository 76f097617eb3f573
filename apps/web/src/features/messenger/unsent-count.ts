import { createAccountStore } from '../../shared/account/account-store.ts'

/** The messages of the account that wait for the connection or were refused. The runtime of the messenger writes it. */
export const unsentCount = createAccountStore(0)
