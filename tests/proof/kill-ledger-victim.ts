/**
 * The process that is killed: the product's ledger on the embedded database of DATA_DIR. It executes the
 * commands of its parent and answers after the commit. It stores nothing in memory.
 */
import {
  type Account,
  type Movement,
  openHold,
  postHold,
} from '@duet/server/modules/ledger/index.ts'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { isRefusal } from '@duet/server/lib/refusal.ts'
import { openBank } from '../laws/ledger-bank.ts'

export type Asked = { id: number; key: string } & (
  | { what: 'movement'; from: Account; to: Account; amount: bigint }
  | { what: 'gift'; guy_id: number; girl_id: number; amount: bigint; reward: bigint }
  | { what: 'call'; guy_id: number; girl_id: number; seconds: number }
)
/**
 * `posted` is the total that a call took from the guy; `unknown` is every answer that is neither a
 * success nor a refusal.
 */
export type Answered =
  | { id: number; outcome: 'done'; posted?: bigint }
  | { id: number; outcome: 'no_balance' | 'unknown'; error?: string }
export type VictimMessage = { ready: true; postgres_pid: number } | Answered

const dataDir = process.env.DATA_DIR
if (dataDir === undefined || process.send === undefined)
  throw new Error('kill-ledger-victim is started by kill-ledger.test.ts')

const say = (said: VictimMessage) => process.send!(said)
const embedded = await openEmbedded({ data_dir: dataDir })
await migrate(embedded.connection)
const bank = await openBank({ database: attach(embedded.connection, { embedded }) })
process.on('disconnect', () => process.exit())
process.on('message', (asked: Asked | { pid: true }) => {
  if ('pid' in asked) say({ ready: true, postgres_pid: embedded.pid() })
  else void answer(asked).then(say)
})
say({ ready: true, postgres_pid: embedded.pid() })

async function answer(asked: Asked): Promise<Answered> {
  try {
    return { id: asked.id, outcome: 'done', ...(await obey(asked)) }
  } catch (error) {
    if (isRefusal(error, 'no_balance')) return { id: asked.id, outcome: 'no_balance' }
    return { id: asked.id, outcome: 'unknown', error: String(error) }
  }
}

async function obey(asked: Asked): Promise<{ posted?: bigint }> {
  const cause = { kind: asked.what }
  if (asked.what === 'call') return { posted: await call(asked) }
  if (asked.what === 'gift') {
    const { key, guy_id, girl_id, amount, reward } = asked
    await bank.move([
      {
        key,
        asset: 'diamond',
        from: { user_id: guy_id },
        to: { house: 'conversion' },
        amount,
        what: 'gift',
        cause,
      },
      {
        key: `${key}:reward`,
        asset: 'coin',
        from: { house: 'conversion' },
        to: { user_id: girl_id },
        amount: reward,
        what: 'gift',
        cause,
      },
    ])
    return {}
  }
  const { key, from, to, amount } = asked
  const movement: Movement = { key, asset: 'diamond', from, to, amount, what: 'message', cause }
  await bank.move(movement)
  return {}
}

/** A call as the meter bills it: seconds are set aside, half of them posted with her coins, then the rest. */
async function call({
  key,
  guy_id,
  girl_id,
  seconds,
}: Extract<Asked, { what: 'call' }>): Promise<bigint> {
  const cause = { kind: 'call' }
  const second = 1_000n
  const wanted = BigInt(seconds) * second
  const opening = {
    key,
    user_id: guy_id,
    asset: 'diamond',
    amount: wanted,
    step: second,
    what: 'call',
    cause,
  } as const
  const { hold_id, amount: held } = await bank.app.transact((tx) => openHold(tx, opening))
  const coins = (part: string, amount: bigint): Movement[] =>
    amount === 0n
      ? []
      : [
          {
            key: `${key}:${part}:coins`,
            asset: 'coin',
            from: { house: 'conversion' },
            to: { user_id: girl_id },
            amount: amount * 3n,
            what: 'call',
            cause,
          },
        ]
  const posting = {
    hold_id,
    to: { house: 'conversion' },
    asset: 'diamond',
    what: 'call',
    cause,
  } as const
  const half = (held / second / 2n) * second
  const first = await bank.app.transact((tx) =>
    postHold(tx, {
      ...posting,
      key: `${key}:half`,
      amount: half,
      keep: wanted,
      step: second,
      linked: coins('half', half),
    }),
  )
  if (first.held === 0n) return half
  await bank.app.transact((tx) =>
    postHold(tx, { ...posting, key: `${key}:end`, amount: second, linked: coins('end', second) }),
  )
  return half + second
}
