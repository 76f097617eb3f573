import type pg from 'pg'

/**
 * Audits the ledger from outside: reads the rows and adds them up itself, without code or functions of the
 * ledger.
 */
interface Row {
  readonly [column: string]: string | null
}

const assets = ['diamond', 'message', 'coin', 'usd', 'usdt']

/** The errors in the accounts, one sentence each; an empty list is sound. */
export async function audit(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const [accounts, transfers, holds, steps] = [
      await read(client, 'accounts', 'id, asset, user_id, balance, held'),
      await read(client, 'transfers', 'key, asset, debit_id, credit_id, amount, hold_id'),
      await read(client, 'holds', 'id, account_id, held, posted, state'),
      await read(client, 'hold_steps', 'key, hold_id, change'),
    ]
    await client.query('commit')
    return [
      ...sums(accounts),
      ...rebuilt(accounts, transfers),
      ...onceOnly(transfers),
      ...onceOnly(steps),
      ...held(accounts, holds, steps, transfers),
    ]
  } finally {
    client.release()
  }
}

async function read(client: pg.PoolClient, table: string, columns: string): Promise<Row[]> {
  const text = columns.split(', ').map((column) => `${column}::text`)
  return (await client.query<Row>(`select ${text.join(', ')} from ${table}`)).rows
}

function sums(accounts: Row[]): string[] {
  return assets.flatMap((asset) => {
    const sum = accounts
      .filter((row) => row.asset === asset)
      .reduce((total, row) => total + BigInt(row.balance!), 0n)
    return sum === 0n ? [] : [`all ${asset} add up to ${sum}`]
  })
}

function rebuilt(accounts: Row[], transfers: Row[]): string[] {
  const wrong: string[] = []
  const [out, into] = [
    sumBy(transfers, 'debit_id', 'amount'),
    sumBy(transfers, 'credit_id', 'amount'),
  ]
  const known = new Set(accounts.map(({ id }) => id))
  for (const { key, debit_id, credit_id, amount } of transfers) {
    if (BigInt(amount!) <= 0n || debit_id === credit_id) wrong.push(`transfer ${key} moves nothing`)
    if (!known.has(debit_id!) || !known.has(credit_id!))
      wrong.push(`transfer ${key} touches an account that is not there`)
  }
  for (const { id, balance, held, user_id } of accounts) {
    if (BigInt(balance!) !== into(id) - out(id))
      wrong.push(`account ${id} has ${balance} and its transfers add up to ${into(id) - out(id)}`)
    if (user_id !== null && (BigInt(balance!) < BigInt(held!) || BigInt(held!) < 0n))
      wrong.push(`account ${id} owes: ${balance} with ${held} held`)
  }
  return wrong
}

function onceOnly(rows: Row[]): string[] {
  const seen = new Set<string>()
  return rows.flatMap(({ key }) => {
    if (seen.has(key!)) return [`key ${key} was written twice`]
    seen.add(key!)
    return []
  })
}

function held(accounts: Row[], holds: Row[], steps: Row[], transfers: Row[]): string[] {
  const wrong: string[] = []
  const stepped = sumBy(steps, 'hold_id', 'change')
  const moved = sumBy(transfers, 'hold_id', 'amount')
  const open = sumBy(holds, 'account_id', 'held')
  for (const { id, held, state, posted } of holds) {
    if (BigInt(held!) !== stepped(id))
      wrong.push(`hold ${id} holds ${held} and its steps add up to ${stepped(id)}`)
    if (BigInt(posted!) !== moved(id))
      wrong.push(`hold ${id} posted ${posted} and its transfers add up to ${moved(id)}`)
    if ((state === 'open') !== BigInt(held!) > 0n)
      wrong.push(`hold ${id} is ${state} and holds ${held}`)
  }
  for (const { id, held } of accounts) {
    if (BigInt(held!) !== open(id))
      wrong.push(`account ${id} holds ${held} and its holds add up to ${open(id)}`)
  }
  return wrong
}

function sumBy(rows: Row[], by: string, of: string): (id: string | null | undefined) => bigint {
  const sums = new Map<string | null | undefined, bigint>()
  for (const row of rows) sums.set(row[by], (sums.get(row[by]) ?? 0n) + BigInt(row[of]!))
  return (id) => sums.get(id) ?? 0n
}
