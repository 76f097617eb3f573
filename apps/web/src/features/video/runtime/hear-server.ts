import type { ClientConnection } from '@duet/client'
import type { AuthSuccess } from '@duet/protocol'
import type { Happened } from '../state/call-state.ts'

interface Hearing {
  apply(happened: Happened): void
  authenticated(auth: AuthSuccess): void
}

/** Every event of search and calls, as something that happened at this moment. */
export function hearServer(connection: ClientConnection, { apply, authenticated }: Hearing): void {
  const now = () => ({ at_ms: Date.now() })
  connection.on('auth_success', (auth) => authenticated(auth as AuthSuccess))
  connection.on('search_state', (search) => apply({ what: 'search_state', search, ...now() }))
  connection.on('search_pair', (pair) => apply({ what: 'search_pair', pair, ...now() }))
  connection.on('search_pair_closed', (closed) => apply({ what: 'search_pair_closed', ...closed }))
  connection.on('new_session', ({ session }) => apply({ what: 'new_session', session, ...now() }))
  connection.on('close_session', (receipt) => apply({ what: 'close_session', receipt, ...now() }))
  connection.on('meter', (meter) => apply({ what: 'meter', meter, ...now() }))
  connection.on('text_chat_message', (text) => apply({ what: 'text_chat_message', text, ...now() }))
  connection.on('session_typing', (typing) =>
    apply({ what: 'session_typing', ...typing, ...now() }),
  )
  connection.on('session_up', (ask) => apply({ what: 'session_up', ask, ...now() }))
  connection.on('session_up_declined', (declined) =>
    apply({ what: 'session_up_declined', ...declined, ...now() }),
  )
}
