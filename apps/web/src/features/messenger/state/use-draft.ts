import { useEffect, useRef, useState } from 'react'
import type { Persistence } from '@duet/client'
import { useAppServices, useOwnUser } from '../../../shared/app-services.tsx'

const DRAFTS_MAX = 50
/** A draft is stored this long after the last key. */
const STORE_AFTER_MS = 400

/** The unsent text in the composer of a dialog, which outlives a reload. Each dialog has a component of its own. */
export function useDraft(dialog_id: number): readonly [string, (text: string) => void] {
  const { connection, persistence } = useAppServices()
  const user_id = useOwnUser()?.id ?? 0
  const [text, setText] = useState(() => getDraft(persistence, user_id, dialog_id))
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
    const timer = setTimeout(
      () => storeDraft(persistence, user_id, dialog_id, text),
      STORE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [persistence, user_id, dialog_id, text])
  useEffect(() => {
    const store = () => {
      // After a log-out nothing of the user is stored in the browser.
      if (connection.getSnapshot().auth?.user.id === user_id)
        storeDraft(persistence, user_id, dialog_id, latest.current)
    }
    addEventListener('pagehide', store)
    return () => {
      removeEventListener('pagehide', store)
      store()
    }
  }, [connection, persistence, user_id, dialog_id])
  return [text, setText]
}

function getDraft(persistence: Persistence, user_id: number, dialog_id: number): string {
  const drafts = persistence.get('drafts') ?? []
  return drafts.find((one) => one.user_id === user_id && one.dialog_id === dialog_id)?.text ?? ''
}

function storeDraft(
  persistence: Persistence,
  user_id: number,
  dialog_id: number,
  text: string,
): void {
  const drafts = persistence.get('drafts') ?? []
  if (getDraft(persistence, user_id, dialog_id) === text) return
  const others = drafts.filter((one) => one.user_id !== user_id || one.dialog_id !== dialog_id)
  const kept = text ? [...others, { user_id, dialog_id, text }].slice(-DRAFTS_MAX) : others
  persistence.set('drafts', kept.length > 0 ? kept : undefined)
}
