import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'
import type { SocketIdentity } from '../../core/realtime.ts'
import type { Viewer } from '../../core/viewer.ts'

/** The current viewer of a token or an open socket. */
export interface IdentityProvider {
  /** The viewer of a Chat-Token; undefined when the token is no longer valid (102). */
  byToken(app: App, token: string): Promise<Viewer | undefined>
  /** The viewer of an open socket, read before each of its actions; undefined when its login has ended (102). */
  bySocket(app: App, identity: SocketIdentity): Promise<Viewer | undefined>
  /** The user who may open `/signal` with this token. */
  byOrtcToken(
    app: App,
    ortc_token: string,
  ): Promise<{ user_id: UserId; login_id: number | null } | undefined>
  /** The viewer of the storage's User-Access-Token. */
  byFsToken?(app: App, fs_token: string): Promise<Viewer | undefined>
}

/** The viewers of tokens and sockets. */
export const identities = createPort<IdentityProvider | undefined>(
  'the viewers of tokens',
  undefined,
)
