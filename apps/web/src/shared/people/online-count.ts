import { useEffect } from 'react'
import type { ClientConnection } from '@duet/client'
import { useAppServices } from '../app-services.tsx'
import { followConnection } from '../connection/follow-connection.ts'
import { useSystem } from '../queries.ts'

/** The number of women online while a screen shows the number. Undefined until it is known. */
export function useWomenOnline(): number | undefined {
  const { connection } = useAppServices()
  useEffect(() => followOnlineCount(connection), [connection])
  return useSystem()?.women_online
}

/** The subscription belongs to a socket, so each AUTH subscribes again. Returns the unsubscribe function. */
export function followOnlineCount(
  connection: Pick<ClientConnection, 'act' | 'getSnapshot' | 'on'>,
): () => void {
  const isReady = () => connection.getSnapshot().phase === 'ready'
  const subscribe = (on: boolean) =>
    void connection.act('SUBSCRIBTION_ROOM', { room: 'online', on }).catch(() => {})
  if (isReady()) subscribe(true)
  const stop = followConnection(connection, { connected: () => subscribe(true) })
  return () => {
    stop()
    if (isReady()) subscribe(false)
  }
}
