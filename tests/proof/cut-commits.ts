/**
 * A server that is proved loads this file before its own code. Each `CUT_COMMITS_EVERY`-th commit reaches the database,
 * and its connection is cut before the answer arrives.
 */
import pg from 'pg'

const EVERY = Number(process.env.CUT_COMMITS_EVERY)
/** The connections of requests. A migration that is cut ends the server, as it should. */
const APPLICATION_NAME = 'duet'
let commits = 0

/** The parts of a client of `pg` that this file uses. */
interface Client {
  query(this: Client, ...given: unknown[]): unknown
  readonly connectionParameters: { readonly application_name?: string }
  readonly connection: {
    readonly stream: {
      removeAllListeners(event: 'data'): void
      write(piece: string, sent: () => void): void
      destroy(error: Error): void
    }
  }
}

const clients = pg.Client.prototype as unknown as Client
const { query } = clients
clients.query = function (...given) {
  const answer = query.apply(this, given)
  const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text?: string }).text
  const isCommit =
    text === 'commit' && this.connectionParameters.application_name === APPLICATION_NAME
  if (!isCommit || ++commits % EVERY !== 0) return answer
  const { stream } = this.connection
  // The answer is not read, however fast it comes.
  stream.removeAllListeners('data')
  stream.write('', () => {
    process.stderr.write('a commit was cut\n')
    stream.destroy(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }))
  })
  return answer
}
