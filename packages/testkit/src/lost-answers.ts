import type { PoolClient } from 'pg'
import type { TestApp } from './test-app.ts'

/**
 * The next commit of a transaction with such a statement happens, but its answer is lost, as if the
 * connection broke at that moment. The server cannot know whether the commit happened. Nothing that follows
 * a commit runs.
 */
export function loseAnswerOfCommit(testApp: TestApp, statement: RegExp): void {
  const { pool } = testApp.database
  let isLost = false
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  pool.connect = ((callback?: never) => {
    if (callback || isLost) return (connect as (callback?: never) => unknown)(callback)
    return connect().then((client) => watched(client))
  }) as typeof pool.connect

  function watched(client: PoolClient): PoolClient {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    let isMeant = false
    client.query = (async (...args: unknown[]) => {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
      isMeant ||= statement.test(text)
      const result = await query(...args)
      if (!isMeant || isLost || !/^commit/i.test(text)) return result
      isLost = true
      throw new Error('Connection terminated unexpectedly')
    }) as typeof client.query
    const release = client.release.bind(client)
    client.release = (error) => {
      Object.assign(client, { query, release })
      release(error)
    }
    return client
  }
}
