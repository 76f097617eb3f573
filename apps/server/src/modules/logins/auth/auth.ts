import { randomBytes } from 'node:crypto'
import type { Ack, Input, Locale } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Db } from '../../../core/db.ts'
import type { Guest, Member, Viewer } from '../../../core/viewer.ts'
import { KEY_BYTES } from '../../../lib/cipher.ts'
import { wireTime } from '../../../lib/clock.ts'
import {
  storeLocale,
  connectionAttributes,
  changesSeen,
  userById,
  userNow,
  type UserRow,
  withdrawDeletion,
  guestKey,
  findGuest,
  guestToken,
  randomGuestId,
  type LoginKey,
  guestFrom,
  hasRow,
  toMember,
  ownUser,
} from '../../identity/index.ts'
import { clientOfConnection, recordSignals } from '../../client-signals/index.ts'
import { getLoginDevice } from '../devices/device-name.ts'
import {
  consumeFactorAttempt,
  consumeLoginAttempt,
  consumeNewGuest,
  rememberLogin,
} from '../credentials/login-limits.ts'
import { hasLoggedInOn, loginByToken, type LoginRow } from '../devices/queries.ts'
import { requireFactor } from '../second-factor/require-factor.ts'
import { endLogins, openLogin } from '../devices/logins-store.ts'
import { endGuest } from './end-guest.ts'
import {
  checkPasskey,
  checkPassword,
  refuseChangedProofs,
  type ProvenMember,
} from './proven-member.ts'
import { storeNewCountry } from './store-country.ts'
import { recordVisit } from './visits-store.ts'
import { isOver } from './token-viewers.ts'

interface IdentifiedViewer {
  readonly viewer: Guest | Member
  readonly key: LoginKey
  readonly token: string
}

/** The identity that AUTH claims: a member with the proofs that were correct, a token, or a new guest. */
type Claim = ProvenMember | TokenOrGuest
type TokenOrGuest = { readonly token: string } | { readonly guest_id: UserId }

const CLIENT_MAJOR = 2

/** Gives this socket an identity. A refused AUTH leaves the former identity unchanged. */
export async function auth(
  app: App,
  former: Viewer,
  input: Input<'AUTH'>,
  context: RequestContext,
): Promise<Ack<'AUTH'>> {
  if (Number.parseInt(input.version, 10) !== CLIENT_MAJOR) refuse('client_old')
  const claim = await readClaim(app, former, input, context)
  const { connection } = context
  rememberSent(app, input, context)
  const attach = async ({ viewer, key }: IdentifiedViewer) => {
    const identity = { user_id: viewer.id, login_id: key.login_id, tab_id: input.tab_id, viewer }
    if (connection) await app.realtime.attach(connection, identity)
  }
  const identified =
    former.kind === 'none' && !('user_id' in claim)
      ? await reconnect(app, claim, input.locale, attach)
      : await app.transact(async (tx) => {
          const found = await identify(app, tx, await withToken(tx, claim, context), input.locale)
          await endFormer(tx, former, found, context)
          tx.afterCommit(() => attach(found))
          return found
        })
  await storeNewLocale(app, identified, input.locale)
  await storeNewCountry(app, identified.viewer, context)
  // After attaching, so that changes during the read are pushed; they are held back until auth_success is sent.
  const fields = await authSuccess(app, identified, context, input.locale)
  return input.cipher
    ? { ...fields, cipher_key: randomBytes(KEY_BYTES).toString('base64') }
    : fields
}

/** The link and the language of an AUTH stay with the connection until something of this user is stored. */
function rememberSent(
  app: App,
  { ref_code, signature, locale }: Input<'AUTH'>,
  context: RequestContext,
): void {
  const attributes = connectionAttributes(app, undefined, context)
  if (ref_code) attributes.ref_code = ref_code
  if (signature) attributes.signature = signature
  if (locale) attributes.locale = locale
}

/** A page sends its language with every AUTH. If the row has another language, it gets the sent language. */
async function storeNewLocale(
  app: App,
  { viewer }: IdentifiedViewer,
  locale: Locale | undefined,
): Promise<void> {
  if (locale === undefined || !hasRow(viewer) || viewer.locale === locale) return
  await storeLocale(app, viewer.id, locale)
}

/**
 * Identifies a returning user without a transaction, because nothing is written. If many users reconnect at
 * once, they share their reads. If something changed during the read, it is repeated after the socket is
 * attached. From then on, a login that ends finds the socket and closes it.
 */
async function reconnect(
  app: App,
  claim: TokenOrGuest,
  locale: string | undefined,
  attach: (identified: IdentifiedViewer) => Promise<void>,
): Promise<IdentifiedViewer> {
  const seen = changesSeen(app)
  const identified = await identify(app, app.db, claim, locale)
  await attach(identified)
  if (seen === changesSeen(app)) return identified
  try {
    return await identify(app, app.db, claim, locale)
  } catch (error) {
    const { user_id, login_id } = identified.key
    await app.realtime.endLogin({ user_id, ...(login_id !== null && { login_id }) })
    throw error
  }
}

/** Before the transaction: hashing is slow and must not hold a connection of the database. */
async function readClaim(
  app: App,
  viewer: Viewer,
  { login, password, token, otp, passkey }: Input<'AUTH'>,
  context: RequestContext,
): Promise<Claim> {
  const { address } = context
  if (login !== undefined) {
    const attempt = await consumeLoginAttempt(app, login.trim(), { viewer, context })
    const row = await checkPassword(app, login.trim(), password ?? '', address)
    await attempt.succeeded()
    const factor = await requireFactor(app, row, { otp, passkey }, () =>
      consumeFactorAttempt(app, row.id, address),
    )
    rememberLogin(app, row.id, address)
    return { user_id: row.id, password_hash: row.password_hash, factor }
  }
  if (token !== undefined) return { token }
  if (passkey !== undefined) return checkPasskey(app, passkey, address)
  await consumeNewGuest(app, { viewer, context })
  return { guest_id: await unusedGuestId(app) }
}

/** A random id without a row. In the improbable case of a row with this id, another id is drawn. */
async function unusedGuestId(app: App): Promise<UserId> {
  for (;;) {
    const id = randomGuestId()
    if ((await userNow(app, id)) === undefined) return id
  }
}

/**
 * Opens a login for a correct password. Its token is then used like a stored token. The owner is notified
 * of a new device.
 */
async function withToken(tx: Tx, claim: Claim, context: RequestContext): Promise<TokenOrGuest> {
  if (!('user_id' in claim)) return claim
  const { user_id } = claim
  await refuseChangedProofs(tx, claim)
  const opened = getLoginDevice(context)
  if (!(await hasLoggedInOn(tx, user_id, opened)))
    await tx.publish('security_changed', {
      user_id,
      what: 'login',
      device: opened.device || 'unknown',
    })
  const { token } = await openLogin(tx, user_id, opened)
  await recordSignals(tx, user_id, clientOfConnection(tx.app, context))
  // A login takes the wish to leave back.
  if (await withdrawDeletion(tx, user_id)) await tx.publish('deletion_withdrawn', { user_id })
  return { token }
}

async function identify(
  app: App,
  db: Db,
  claim: TokenOrGuest,
  locale?: string,
): Promise<IdentifiedViewer> {
  if ('guest_id' in claim) return guest(app, db, claim.guest_id, locale)
  const { token } = claim
  const guestId = findGuest(app, token)
  if (guestId !== undefined) return guest(app, db, guestId, locale)
  const login = await loginByToken(db, token)
  return login ? member(app, db, login, token) : refuse('session_invalid')
}

/** The row as the transaction sees it; outside a transaction from the cache. */
function readRow(app: App, db: Db, id: UserId): Promise<UserRow | undefined> {
  return db.isTransaction ? userById(db, id) : userNow(app, id)
}

async function guest(app: App, db: Db, id: UserId, locale?: string): Promise<IdentifiedViewer> {
  const row = await readRow(app, db, id)
  if (isOver(app, id, row)) refuse('session_invalid')
  return { viewer: guestFrom(id, row, locale), key: guestKey(app, id), token: guestToken(app, id) }
}

async function member(app: App, db: Db, login: LoginRow, token: string): Promise<IdentifiedViewer> {
  const row = await readRow(app, db, login.user_id)
  if (!row?.role || row.erased_at) refuse('session_invalid')
  return {
    viewer: toMember(row, login.id, app.clock.now()),
    key: { user_id: row.id, login_id: login.id, generation: login.generation },
    token,
  }
}

/**
 * Ends the former identity of the socket. A login is logged out. The token of a guest who logs in becomes
 * invalid, because an attacker may have planted it. A guest who becomes another guest has nothing to end.
 */
async function endFormer(
  tx: Tx,
  former: Viewer,
  { viewer, key }: IdentifiedViewer,
  { address }: RequestContext,
): Promise<void> {
  if (former.kind === 'guest' && viewer.kind === 'member') return endGuest(tx, former.id, address)
  if (former.kind !== 'member' || former.login_id === key.login_id) return
  await endLogins(tx, former.id, { only: former.login_id })
  if (former.id !== viewer.id) await tx.publish('logged_out', { user_id: former.id })
}

/** auth_success: the fields of this module and of the others. The head of the change log is read before any state. */
async function authSuccess(
  app: App,
  identified: IdentifiedViewer,
  { country }: RequestContext,
  locale?: string,
): Promise<Ack<'AUTH'>> {
  const { viewer, key } = identified
  const added = await app.hooks.authFields(viewer)
  const user = await ownUser(app, app.db, key, locale ?? viewer.locale)
  const at = app.clock.now()
  if (viewer.kind === 'member' || viewer.has_row) {
    recordVisit(app, { key, at, country })
    user.last_visit = wireTime(at)
  }
  return {
    token: identified.token,
    server_time: wireTime(at),
    free_quota: 0,
    free_quota_messages: 0,
    change_id: 0,
    count_new_messages: 0,
    ...added,
    user,
  }
}
