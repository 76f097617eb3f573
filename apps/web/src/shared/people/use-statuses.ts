import { useEffect } from 'react'
import { NoAnswerError, RefusedError } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { useAppServices, type AppServices } from '../app-services.tsx'
import { followConnection } from '../connection/follow-connection.ts'
import { patchPerson } from './people.ts'

/** Subscribes to the statuses of these users while they are shown. Several parts of the page may show the same user. */
export function useStatuses(ids: readonly number[]): void {
  const services = useAppServices()
  const followed = ids.join(' ')
  useEffect(() => {
    if (followed === '') return
    return pageStatuses(services).follow(new Set(followed.split(' ').map(Number)))
  }, [services, followed])
}

type Statuses = ReturnType<typeof createStatuses>

const known = new WeakMap<AppServices['connection'], Statuses>()

function pageStatuses(services: AppServices): Statuses {
  const statuses = known.get(services.connection) ?? createStatuses(services)
  known.set(services.connection, statuses)
  return statuses
}

/**
 * The server stores one set of subscriptions for a socket. So the page counts who shows a user and sends only the
 * differences.
 */
function createStatuses({ connection, report }: AppServices) {
  /** How many parts of the page show a user. */
  const shown = new Map<number, number>()
  let subscribed = new Set<number>()
  let isWaiting = false

  // The server drops the subscriptions with their socket or identity.
  followConnection(connection, {
    connected() {
      subscribed = new Set()
      sendSoon()
    },
  })

  function sendSoon(): void {
    if (isWaiting) return
    isWaiting = true
    // An effect releases the former users before it follows the new users.
    queueMicrotask(() => {
      isWaiting = false
      if (connection.getSnapshot().phase === 'ready') sendDifferences()
    })
  }

  function sendDifferences(): void {
    const wanted = new Set([...shown.keys()].slice(0, limits.subscriptions))
    const ended = [...subscribed].filter((id) => !wanted.has(id))
    const begun = [...wanted].filter((id) => !subscribed.has(id))
    subscribed = wanted
    if (ended.length > 0) connection.act('UNSUBSCRIBE', { user_ids: ended }).catch(() => {})
    if (begun.length > 0) void subscribe(begun, wanted)
  }

  async function subscribe(user_ids: number[], wanted: ReadonlySet<number>): Promise<void> {
    try {
      const { statuses } = await connection.act('SUBSCRIBE', { user_ids })
      for (const { user_id, ...status } of statuses)
        if (shown.has(user_id)) patchPerson(user_id, status)
    } catch (error) {
      // The next difference or connection subscribes again. Until then the page shows the fetched status.
      if (subscribed === wanted) for (const id of user_ids) subscribed.delete(id)
      if (!(error instanceof NoAnswerError || error instanceof RefusedError)) report(error)
    }
  }

  return {
    follow(ids: ReadonlySet<number>): () => void {
      for (const id of ids) shown.set(id, (shown.get(id) ?? 0) + 1)
      sendSoon()
      return () => {
        for (const id of ids) {
          const left = (shown.get(id) ?? 0) - 1
          if (left > 0) shown.set(id, left)
          else shown.delete(id)
        }
        sendSoon()
      }
    },
  }
}
