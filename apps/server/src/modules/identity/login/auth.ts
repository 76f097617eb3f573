import { randomBytes } from 'node:crypto'
import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Db, Tx } from '../../../core/tx.ts'
import type { Guest, Member, Viewer } from '../../../core/viewer.ts'
import { key_bytes } from '../../../lib/cipher.ts'
import { wireTime } from '../../../lib/clock.ts'
import { connectionAttributes } from './connection-attributes.ts'
import { rememberLogin, consumeLoginAttempt, consumeNewGuest } from './login-limits.ts'
import { verifyPassword } from './passwords.ts'
import {
  changesSeen,
  loginByToken,
  userByEmail,
  userById,
  userNow,
  type LoginRow,
  type UserRow,
} from '../queries.ts'
import { endGuest, endLogins, openLogin } from '../store.ts'
import { recordVisit } from './visits-store.ts'
import { guestKey, guestOf, guestToken, randomGuestId, type LoginKey } from './tokens.ts'
import { guestFrom, isGuestRow, memberOf } from '../viewer.ts'
import { ownUser } from '../views.ts'

interface Identified {
  readonly viewer: Guest | Member
  readonly key: LoginKey
  readonly token: string
}

/** By whom AUTH says one is: a password that was right, a token, or nobody yet. */
type Claim = { readonly user_id: UserId } | Known
type Known = { readonly token: string } | { readonly guest_id: UserId }

const client_major = 2

/** Becomes somebody on this socket. Whatever fails leaves the former identity as it was. */
export async function auth(
  app: App,
  former: Viewer,
  input: Input<'AUTH'>,
  context: RequestContext,
): Promise<Ack<'AUTH'>> {
  if (Number.parseInt(input.version, 10) !== client_major) refuse('client_old')
  const claim = await claimOf(app, input, context)
  const { connection } = context
  const line = connectionAttributes(connection)
  if (input.ref_code) line.ref_code = input.ref_code
  if (input.signature) line.signature = input.signature
  const attach = async ({ viewer, key }: Identified) => {
    const identity = { user_id: viewer.id, login_id: key.login_id, tab_id: input.tab_id, viewer }
    if (connection) await app.realtime.attach(connection, identity)
  }
  const who =
    former.kind === 'none' && !('user_id' in claim)
      ? await comeBack(app, claim, input.locale, attach)
      : await app.transact(async (tx) => {
          const found = await identify(app, tx, await opened(tx, claim), input.locale)
          await endFormer(tx, former, found)
          tx.afterCommit(() => attach(found))
          return found
        })
  // After attaching: what changes while the state is read is pushed (and held back until auth_success has left).
  const answer = await describe(app, who, input.locale)
  return input.cipher
    ? { ...answer, cipher_key: randomBytes(key_bytes).toString('base64') }
    : answer
}

/**
 * Most who come were here before and change nothing by coming: they need no transaction, and when all come at once they
 * share their reads. Whatever was changed or ended while we read is looked at again once the line is attached, where
 * whoever ends it finds it.
 */
async function comeBack(
  app: App,
  claim: Known,
  locale: string | undefined,
  attach: (who: Identified) => Promise<void>,
): Promise<Identified> {
  const seen = changesSeen(app)
  const who = await identify(app, app.db, claim, locale)
  await attach(who)
  if (seen === changesSeen(app)) return who
  try {
    return await identify(app, app.db, claim, locale)
  } catch (error) {
    const { user_id, login_id } = who.key
    await app.realtime.endLogin({ user_id, ...(login_id !== null && { login_id }) })
    throw error
  }
}

/** Before the transaction: hashing is slow and must not hold a connection of the database. */
async function claimOf(
  app: App,
  { login, password, token }: Input<'AUTH'>,
  context: RequestContext,
): Promise<Claim> {
  if (login !== undefined)
    return { user_id: await passed(app, login.trim(), password ?? '', context.address) }
  if (token !== undefined) return { token }
  await consumeNewGuest(app, context.address)
  return { guest_id: await unusedGuestId(app) }
}

/** A random id that no row has: drawn again in the improbable case that one has it. */
async function unusedGuestId(app: App): Promise<UserId> {
  for (;;) {
    const id = randomGuestId()
    if ((await userNow(app, id)) === undefined) return id
  }
}

async function passed(app: App, login: string, password: string, address: string): Promise<UserId> {
  const row = await userByEmail(app.db, login)
  await consumeLoginAttempt(app, { login, user_id: row?.id, address })
  const right = await verifyPassword(password, row?.password_hash)
  if (!right || !row || row.erased_at) refuse('wrong_login')
  rememberLogin(app, row.id, address)
  return row.id
}

/** A right password opens a login, whose token is as good as one that was kept. */
async function opened(tx: Tx, claim: Claim): Promise<Known> {
  return 'user_id' in claim ? { token: (await openLogin(tx, claim.user_id)).token } : claim
}

async function identify(app: App, db: Db, claim: Known, locale?: string): Promise<Identified> {
  if ('guest_id' in claim) return guest(app, db, claim.guest_id, locale)
  const { token } = claim
  const guest_id = guestOf(app, token)
  if (guest_id !== undefined) return guest(app, db, guest_id, locale)
  const login = await loginByToken(db, token)
  return login ? member(app, db, login, token) : refuse('session_invalid')
}

/** Inside a transaction as it sees the row, else as every action does. */
function rowOf(app: App, db: Db, id: UserId): Promise<UserRow | undefined> {
  return db.isTransaction ? userById(db, id) : userNow(app, id)
}

async function guest(app: App, db: Db, id: UserId, locale?: string): Promise<Identified> {
  const row = await rowOf(app, db, id)
  // A tombstone: the id is a member's now, or was erased or cleaned.
  if (row && !isGuestRow(row)) refuse('session_invalid')
  return { viewer: guestFrom(id, row, locale), key: guestKey(app, id), token: guestToken(app, id) }
}

async function member(app: App, db: Db, login: LoginRow, token: string): Promise<Identified> {
  const row = await rowOf(app, db, login.user_id)
  if (!row?.role || row.erased_at) refuse('session_invalid')
  return {
    viewer: memberOf(row, login.id, app.clock.now()),
    key: { user_id: row.id, login_id: login.id, generation: login.generation },
    token,
  }
}

/**
 * Whoever held this socket holds nothing any more: a login that is left is logged out, and the token of a guest who logs
 * in is dead, as whoever planted it might still have it. A guest who becomes another guest leaves nothing to end.
 */
async function endFormer(tx: Tx, former: Viewer, { viewer, key }: Identified): Promise<void> {
  if (former.kind === 'guest' && viewer.kind === 'member') return endGuest(tx, former.id)
  if (former.kind !== 'member' || former.login_id === key.login_id) return
  await endLogins(tx, former.id, { only: former.login_id })
  if (former.id !== viewer.id) await tx.publish('logged_out', { user_id: former.id })
}

/** auth_success: this module's fields and what the others add. The change log's head is read first, so nothing falls between. */
async function describe(app: App, who: Identified, locale?: string): Promise<Ack<'AUTH'>> {
  const { viewer, key } = who
  const added = await app.hooks.authFields(viewer)
  const user = await ownUser(app, app.db, key, locale ?? viewer.locale)
  if (viewer.kind === 'member' || viewer.has_row) {
    const at = app.clock.now()
    recordVisit(app, { key, at })
    user.last_visit = wireTime(at)
  }
  return {
    token: who.token,
    free_quota: 0,
    free_quota_messages: 0,
    change_id: 0,
    count_new_messages: 0,
    ...added,
    user,
  }
}
