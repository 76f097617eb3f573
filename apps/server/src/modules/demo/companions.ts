import type { UserInterlocutor } from '@duet/protocol'
import { otherRole, ROLES, type Role } from '@duet/protocol/kernel/roles.ts'
import { newUuid } from '../../lib/ids.ts'
import type { App, AppContext } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { openLogin } from '../logins/index.ts'
import { listSearches } from '../matchmaking/index.ts'
import { isInCall, isOnline } from '../presence/index.ts'
import { createCompanionProcess } from './companion-process.ts'
import { DEMO_USERS } from './demo-users.ts'
import { demoUsers } from './queries.ts'

const LOOK_EVERY_MS = 1000
/** So that the companion searches when the matcher may offer it. */
const PREPARE_AFTER_MS = 2000
/** A companion that found no partner leaves, so that another companion can try: the guy may have blocked the former companion. */
const SEARCH_MAX_MS = 10_000
/** All companions together need at most a third of a core. */
const COMPANIONS_MAX = 6

/** A demo user that the server plays now. */
interface PlayedUser {
  readonly user_id: UserId
  readonly role: Role
  readonly tab_id: string
  readonly since_ms: number
}

const companions = perApp(
  'demo: companions',
  'the demo users that the server plays; their process ends with the server',
  (app) => ({
    played: new Map<UserId, PlayedUser>(),
    /** When the server played a user last: the next companion is the user who has not been a companion for the longest time. */
    playedAtMs: new Map<UserId, number>(),
    process: createCompanionProcess(app.log, (over) => forget(app, over)),
  }),
)

/** Whether the server plays the user in this tab. */
export function isPlayed(
  app: AppContext,
  { user_id, tab_id }: Pick<PlayedUser, 'user_id' | 'tab_id'>,
): boolean {
  return companions(app).played.get(user_id)?.tab_id === tab_id
}

/** `is_companion` of the users that the server plays now. */
export async function companionFields(
  _db: Db,
  _viewerId: UserId | null,
  ids: readonly UserId[],
  app: AppContext,
): Promise<ReadonlyMap<UserId, Partial<UserInterlocutor>>> {
  const { played } = companions(app)
  const found = ids.filter((id) => played.has(id))
  return new Map(found.map((id) => [id, { is_companion: true }]))
}

/** Looks each second for users who wait for a partner. Returns the function that ends all companions. */
export function startCompanions(app: App): () => void {
  const stop = app.clock.every(LOOK_EVERY_MS, () =>
    app.background('looking for users who wait', look(app)),
  )
  return () => {
    stop()
    companions(app).process.stop()
  }
}

function forget(app: App, { user_id, tab_id }: Pick<PlayedUser, 'user_id' | 'tab_id'>): void {
  const { played } = companions(app)
  if (played.get(user_id)?.tab_id === tab_id) played.delete(user_id)
}

async function look(app: App): Promise<void> {
  for (const role of ROLES) await lookFor(app, role)
}

/** Sends a companion of this role for a user who waits too long, and takes companions back when no user waits. */
async function lookFor(app: App, role: Role): Promise<void> {
  const nowMs = app.clock.now().epochMilliseconds
  const { played } = companions(app)
  const waiting = listSearches(app).filter(
    (search) => search.side === otherRole(role) && !search.pair && !isPlayed(app, search),
  )
  const free = [...played.values()].filter((one) => one.role === role && isFree(app, one))
  const isLate = (one: PlayedUser) => nowMs - one.since_ms > SEARCH_MAX_MS
  for (const one of free) if (waiting.length === 0 || isLate(one)) leave(app, one)
  const wanting = waiting.filter(
    ({ waiting_since }) => nowMs - waiting_since.epochMilliseconds >= PREPARE_AFTER_MS,
  )
  if (wanting.length > free.length && played.size < COMPANIONS_MAX) await play(app, role)
}

/** Neither offered nor in a call. */
function isFree(app: App, { user_id }: PlayedUser): boolean {
  const isOffered = listSearches(app).some((search) => search.user_id === user_id && search.pair)
  return !isOffered && !isInCall(app, user_id)
}

function leave(app: App, { user_id, tab_id }: PlayedUser): void {
  companions(app).process.send({ type: 'leave', user_id, tab_id })
}

async function play(app: App, role: Role): Promise<void> {
  const { played, playedAtMs, process } = companions(app)
  const chosen = await choose(app, role)
  if (!chosen) return
  const { user_id, name } = chosen
  const tab_id = newUuid()
  const since_ms = app.clock.now().epochMilliseconds
  played.set(user_id, { user_id, role, tab_id, since_ms })
  playedAtMs.set(user_id, since_ms)
  const { token } = await app.transact((tx) => openLogin(tx, user_id))
  const { host, port, origins } = app.config
  process.send({
    type: 'play',
    user_id,
    name,
    role,
    token,
    tab_id,
    origin: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`,
    page_origin: origins[0]!,
  })
}

/** The user who has not been a companion for the longest time, and is played by no visitor. */
async function choose(
  app: App,
  role: Role,
): Promise<{ readonly user_id: UserId; readonly name: string } | undefined> {
  const { played, playedAtMs } = companions(app)
  const names = new Set(DEMO_USERS.filter((user) => user.role === role).map(({ name }) => name))
  const free = (await demoUsers(app.db)).filter(
    ({ name, user_id }) => names.has(name) && !played.has(user_id) && !isOnline(app, user_id),
  )
  // In a random order at first, so that a tester meets another demo user after a restart.
  const ranks = new Map(
    free.map((one) => [one, (playedAtMs.get(one.user_id) ?? 0) + Math.random()]),
  )
  return free.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)[0]
}
