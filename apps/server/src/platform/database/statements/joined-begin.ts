import type pg from 'pg'

/** Whether a connection is in a transaction. */
export interface TransactionState {
  /** From the request of `begin` until that of `commit` or `rollback`. */
  isInTransaction(): boolean
}

const errorsOfBegin = new WeakSet<Error>()

/** Whether this is the error of a `begin`: nothing of its transaction has happened. */
export function isErrorOfBegin(error: unknown): boolean {
  return error instanceof Error && errorsOfBegin.has(error)
}

const ENDS: ReadonlySet<unknown> = new Set(['commit', 'rollback'])

/**
 * Makes the `begin` of a connection travel with the first statement of its transaction, so that a transaction costs one round
 * trip less and one without statements costs none. A `begin` that fails is the error of that first statement. The connection
 * needs the option `pipeline`.
 */
export function joinBegin(client: pg.ClientBase): TransactionState {
  const internals = client as unknown as Internals
  const { connection } = internals
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
  let state: 'none' | 'requested' | 'begun' = 'none'

  const begin = () => {
    state = 'requested'
    return emptyResult('begin')
  }
  const beginWith = async (given: unknown[]) => {
    state = 'begun'
    connection.stream.cork()
    const sent = [query('begin'), query(...given)] as const
    connection.stream.uncork()
    const [begun, result] = await Promise.allSettled(sent)
    if (begun.status === 'rejected') {
      errorsOfBegin.add(begun.reason as Error)
      throw begun.reason
    }
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
  Object.assign(client, {
    query(...given: unknown[]): unknown {
      const [text] = given
      if (text === 'begin') return begin()
      const isEnd = ENDS.has(text)
      const isRequested = state === 'requested'
      if (isEnd) state = 'none'
      if (isRequested && isEnd) return emptyResult(text as string)
      // A transaction ends with its connection; the error that says so is that of the statement before.
      if (text === 'rollback' && !internals._queryable) return emptyResult(text)
      return isRequested ? beginWith(given) : query(...given)
    },
  })
  return { isInTransaction: () => state !== 'none' }
}

/** As `pg` answers a statement of this kind. */
function emptyResult(text: string): Promise<unknown> {
  return Promise.resolve({ command: text.toUpperCase(), rowCount: null, rows: [] })
}

/** The parts of a connection that `pg` does not type. */
interface Internals {
  /** False once the connection is lost. */
  readonly _queryable: boolean
  readonly connection: { readonly stream: { cork(): void; uncork(): void } }
}
