import type { TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { addMember } from '@duet/server/modules/profile/index.ts'
import { forgetAfterCommit } from '@duet/server/modules/identity/index.ts'
import { toGender } from '@duet/protocol/kernel/roles.ts'
import type { ClientPage } from './convergence-page.ts'

let added = 0
const newEmail = () => `person-${(added += 1)}@duet.example`

/** A connected girl with an account of her own for each history. */
export async function newGirl(testApp: TestApp): Promise<TestUser> {
  const { token } = await addMember(testApp.app, {
    role: 'girl',
    nick: 'Clara',
    email: newEmail(),
    password: 'clara-secret-1',
    verified: true,
  })
  const girl = testApp.user('clara', token)
  await girl.auth()
  return girl
}

/** A visitor who may register. */
export async function newGuest(testApp: TestApp): Promise<TestUser> {
  const guest = await testApp.guest('nina')
  await guest.post('age/confirm', { confirmed: true, terms: true })
  return guest
}

/** The guest becomes a girl on the socket that she has; the page goes on with its changes. */
export async function registerGuest(page: ClientPage): Promise<void> {
  const { user } = page
  if (page.is_member || !page.isConnected) return
  const { token } = await user.act('UPDATE_PROFILE', {
    nick: 'Nina',
    email: newEmail(),
    password: 'nina-secret-1',
    birthday: '1998-02-03',
    gender: toGender('girl'),
  })
  user.token = token
  page.is_member = true
}

/** The account is closed and erased in one transaction: the row keeps the id. */
export async function deleteAccount(testApp: TestApp, user_id: number): Promise<void> {
  await testApp.app.transact(async (tx) => {
    await tx.updateTable('users').set({ erased_at: tx.now }).where('id', '=', user_id).execute()
    await tx.publish('account_deleted', { user_id })
    await tx.app.eraseUser(tx, user_id)
    forgetAfterCommit(tx, user_id)
  })
}
