import { createSignalSocket, type Connection } from '@duet/client'
import { overSocket, type SignalHearing, type SignalPort } from '@duet/call-engine'

/** The signalling line of this page: open while somebody is looked for or talked to, closed otherwise. */
export interface SignalSwitch {
  readonly port: SignalPort
  open(): void
  close(): void
}

/** `tabId` is the one that the main socket authenticated with: the server lets no other tab in. */
export function openSignal(connection: Connection, tabId: () => Promise<string>): SignalSwitch {
  let hearing: SignalHearing | undefined
  const { port, line } = overSocket((hears) => {
    hearing = hears
    return createSignalSocket({
      origin: '',
      ortcToken: () => connection.getSnapshot().auth?.user.ortc_token,
      tabId,
      ...hears,
    })
  })
  return {
    port,
    open: () => line.open(),
    close() {
      line.close()
      // Closing by one's own wish is told by nobody, and the engine joins only on a line that came back.
      hearing?.lost()
    },
  }
}
