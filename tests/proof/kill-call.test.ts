import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import type { Receipt } from '@duet/protocol/contracts/calls.ts'
import { ROLES } from '@duet/protocol/kernel/roles.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { audit } from '../laws/ledger-auditor.ts'
import { CallClient } from '@duet/testkit/calls/call-client.ts'
import { CallWitness } from '@duet/testkit/calls/call-witness.ts'
import { ServerProcess, freePort, freshFolder } from '@duet/testkit/server-process.ts'

/** M1 and M13 for calls that really run: the long form by `npm run proof kill-call`. */
const KILLS = process.env.PROOF === 'long' ? 200 : 5
const COUPLES = 4
const MINUTES = 50
/** Of the commits of a server that was started again: the connection is cut after the commit was sent, before its answer. */
const CUT_EVERY = 30
/** Price and reward of one second, in units: 1 diamond and 50 coins a minute. */
const SECOND_HIS_UNITS = 1_000n
const SECOND_HERS_UNITS = 5_000_000_000n / 60n
const SILENCE_SECONDS = 3
/** Longer than the free second and two holds, which are renewed a second before their end. */
const CALM_MS = 9_000
const seed = testSeed()

/** Everything is short, so that calls are free, paid, paused and over within seconds. */
const settings = {
  free_quota: 0,
  paid_after: 1,
  rematch_minutes: 0,
  rematch_last_only: 0,
  meter_no_frames: SILENCE_SECONDS,
  meter_no_report: SILENCE_SECONDS,
  hold_seconds: 4,
  hold_renew: 1,
  absences_an_hour: 100,
}

interface Row {
  readonly session_id: number
  readonly status: string
  readonly reason: string
  readonly good_ms: number
  readonly free_used: number
  readonly paid_seconds: number
  readonly posted_his: bigint
  readonly posted_hers: bigint
}

test(`calls survive ${KILLS} kills, and connections cut after a commit: never a second more than both reported, none paid twice, every receipt true (seed ${seed})`, async () => {
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const folder = await freshFolder('kill-call')
  const server = new ServerProcess({ data_dir: folder.path, port: await freePort() })
  const witness = new CallWitness(SILENCE_SECONDS * 1000)
  const pages: CallClient[] = []
  let cut = 0
  try {
    await server.start()
    pages.push(...(await enter(server, witness)))
    for (const page of pages) page.start()
    server.cutsCommitsEvery = CUT_EVERY
    for (let died = 0; died < KILLS; died += 1) {
      const runForMs = 1000 + random() * 1500
      while (witness.thisLife() < runForMs && !server.hasFallen) {
        await sleep(100)
        disturb(pick(pages), random)
      }
      // Every third time the database dies alone, and the server lives on.
      ok(!server.hasFallen, `the server ended by itself:\n${server.said}`)
      if (died % 3 === 2) await server.killDatabase()
      else {
        cut += server.cutCommits
        await server.kill()
        witness.endOfLife()
        await server.start()
      }
    }
    for (const page of pages) Object.assign(page, { sees: true, silent: false })
    // A call without trouble lives until its hold was renewed, whatever the kills left of the others.
    while (witness.thisLife() < CALM_MS) {
      ok(!server.hasFallen, `the server ended by itself:\n${server.said}`)
      await sleep(100)
    }
    while (!allOver(pages)) {
      ok(!server.hasFallen, `the server ended by itself:\n${server.said}`)
      await sleep(100)
    }
    cut += server.cutCommits
    ok(cut > 0, 'no commit was cut from its answer')
    equal(await server.terminate(), 0)
    witness.endOfLife()
    await compare(folder.path, pages, witness)
  } finally {
    for (const page of pages) await page.close()
    await server.kill()
    await folder.remove()
  }
})

async function enter(server: ServerProcess, witness: CallWitness): Promise<CallClient[]> {
  for (const [key, value] of Object.entries(settings))
    await server.duet('settings', 'set', key, value)
  const system = (await (await fetch(`${server.origin}/api/system`)).json()) as {
    data: { socket_secret_key: string }
  }
  const key = Buffer.from(system.data.socket_secret_key, 'base64')
  const pages: CallClient[] = []
  for (let number = 1; number <= COUPLES; number += 1) {
    for (const side of ROLES) {
      const who = ['--role', side, '--nick', `${side} ${number}`]
      const secret = [
        '--email',
        `${side}-${number}@duet.example`,
        '--password',
        `${side}-secret-${number}`,
      ]
      const trust = side === 'girl' ? ['--verified', '--avatar', 'demo'] : []
      const { id, token } = await server.duet<{ id: number; token: string }>(
        'user',
        'add',
        ...who,
        ...secret,
        ...trust,
      )
      if (side === 'guy') await server.duet('grant', id, MINUTES, 'diamond', '--reason', 'proof')
      pages.push(new CallClient({ origin: server.origin, key, token, side, witness }))
    }
  }
  return pages
}

/** Pages behave as users and networks do: they leave, stop reporting, cover the camera, lose the connection. */
function disturb(page: CallClient, random: () => number): void {
  const what = Math.floor(random() * 24)
  if (what === 0) page.hangUp()
  else if (what === 1) page.drop()
  else if (what === 2) page.silent = !page.silent
  else if (what === 3) page.sees = !page.sees
  else if (what < 14) Object.assign(page, { sees: true, silent: false })
}

function allOver(pages: readonly CallClient[]): boolean {
  for (const page of pages) page.retire()
  return pages.every(({ isIdle }) => isIdle)
}

/** Compares the rows of a server that has ended with the reports that the pages sent and the receipts that they received. */
async function compare(
  dataDir: string,
  pages: readonly CallClient[],
  witness: CallWitness,
): Promise<void> {
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  const all = async <R extends object>(text: string) => (await pool.query<R>(text)).rows
  try {
    deepEqual(await audit(pool), [])
    deepEqual(await all(`select id from holds where state = 'open'`), [])
    deepEqual(await all(`select id from accounts where held <> 0`), [])
    const rows = await all<Row>('select * from video_sessions order by session_id')
    let survivors = 0
    for (const row of rows) {
      equal(row.status, 'closed', `call ${row.session_id} is over`)
      const { most_ms, lives } = witness.jointly(row.session_id)
      const says = `call ${row.session_id}: ${row.good_ms} ms counted, ${most_ms} ms reported`
      ok(row.good_ms <= most_ms, says)
      ok(row.free_used + row.paid_seconds <= Math.floor(most_ms / 1000), says)
      equal(row.posted_his, BigInt(row.paid_seconds) * SECOND_HIS_UNITS)
      if (lives > 1 && row.good_ms > 0) survivors += 1
    }
    deepEqual(await all(IN_TWO_AT_ONCE), [])
    await comparePaid(all, rows)
    compareReceipts(pages, rows)
    const renewals = await renewedHolds(all)
    const paid = rows.reduce((sum, row) => sum + row.paid_seconds, 0)
    const reportedMs = rows.reduce((sum, row) => sum + witness.jointly(row.session_id).most_ms, 0)
    console.log(
      `kill-call: ${rows.length} calls, ${survivors} of them lived through a kill, ${paid} s paid of ${Math.floor(reportedMs / 1000)} s reported, ${renewals} renewals of a hold`,
    )
    ok(paid > 0 && survivors > 0, 'the kills met no call')
    ok(renewals > 0, 'no call lived until its hold was renewed')
  } finally {
    await stop()
  }
}

const IN_TWO_AT_ONCE = `
  select one.session_id, other.session_id as also from video_sessions one join video_sessions other
    on one.session_id < other.session_id and (one.guy_id = other.guy_id or one.girl_id = other.girl_id)
  where one.opened_at < other.closed_at and other.opened_at < one.closed_at`

/** A call posts once at its end; each posting before is a renewal of its hold. */
async function renewedHolds(
  all: <R extends object>(text: string) => Promise<R[]>,
): Promise<number> {
  const [row] = await all<{ renewals: number }>(
    `select coalesce(sum(postings - 1), 0)::integer as renewals from (
       select count(*) as postings from transfers where key like 'call:%:post:%' group by split_part(key, ':', 2)) posted`,
  )
  return row!.renewals
}

/** The transfers from the guy and to the girl equal the totals of the calls, once. */
async function comparePaid(
  all: <R extends object>(text: string) => Promise<R[]>,
  rows: readonly Row[],
): Promise<void> {
  const moved = await all<{ call_id: number; asset: string; amount: bigint; hers: bigint }>(
    `select split_part(key, ':', 2)::int8 as call_id, asset, sum(amount)::bigint as amount from transfers
     where key like 'call:%' group by 1, 2`,
  )
  const by = new Map(
    moved.map(({ call_id, asset, amount }) => [`${call_id} ${asset}`, BigInt(amount)]),
  )
  for (const row of rows) {
    equal(by.get(`${row.session_id} diamond`) ?? 0n, row.posted_his)
    equal(by.get(`${row.session_id} coin`) ?? 0n, row.posted_hers)
    const due = (BigInt(row.paid_seconds) * 5_000_000_000n) / 60n
    ok(
      row.posted_hers <= due && row.posted_hers + SECOND_HERS_UNITS > due,
      `her coins of call ${row.session_id}`,
    )
  }
  const spent = await all<{ spent: bigint }>(
    `select count(*) * ${MINUTES * 60_000}::bigint - sum(balance)::bigint as spent from accounts
     where asset = 'diamond' and user_id is not null`,
  )
  equal(
    BigInt(spent[0]!.spent),
    rows.reduce((sum, row) => sum + row.posted_his, 0n),
  )
}

/** Every receipt that a page received equals the row, however often the server was killed. */
function compareReceipts(pages: readonly CallClient[], rows: readonly Row[]): void {
  const byId = new Map(rows.map((row) => [row.session_id, row]))
  const wrong = pages
    .flatMap(({ receipts }) => receipts)
    .filter(({ session_id, reason, paid_seconds }: Receipt) => {
      const row = byId.get(session_id)
      return row?.reason !== reason || row.paid_seconds !== paid_seconds
    })
  deepEqual(wrong, [])
}
