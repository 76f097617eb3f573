import { useEffect } from 'react'
import { NoAnswerError, RefusedError } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { useAppServices, useSnapshot } from '../app-services.tsx'
import { patchPerson } from './people.ts'

/**
 * Subscribes to the statuses of these users while they are shown. The server drops a subscription with its socket or
 * identity, so each new socket or identity subscribes again.
 */
export function useStatuses(ids: readonly number[]): void {
  const { connection, report } = useAppServices()
  const { phase, auth } = useSnapshot()
  const viewerId = phase === 'ready' ? auth?.user.id : undefined
  const followed = ids.slice(0, limits.subscriptions).join(' ')
  useEffect(() => {
    if (viewerId === undefined || followed === '') return
    const user_ids = followed.split(' ').map(Number)
    let isShown = true
    const subscribe = async () => {
      try {
        const { statuses } = await connection.act('SUBSCRIBE', { user_ids })
        if (isShown) for (const { user_id, ...status } of statuses) patchPerson(user_id, status)
      } catch (error) {
        // The next connection subscribes again. Until then the page shows the fetched status.
        if (!(error instanceof NoAnswerError || error instanceof RefusedError)) report(error)
      }
    }
    void subscribe()
    return () => {
      isShown = false
      connection.act('UNSUBSCRIBE', { user_ids }).catch(() => {})
    }
  }, [connection, report, viewerId, followed])
}
