import { useEffect, useState } from 'react'
import type { Message } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'
import { getSummary } from '../list/last-line.tsx'

/** Of messages that arrive together, the newest are announced. */
const SAID_MAX = 5

interface ArrivedTextProps {
  readonly messages: readonly Message[]
  readonly ownId: number
  readonly nick: string
}

/**
 * Announces new messages of the open dialog to screen readers. The log itself is not live, because pages of older
 * messages would be announced.
 */
export function ArrivedText({ messages, ownId, nick }: ArrivedTextProps) {
  const newest = messages.findLast(({ sender_id }) => sender_id !== ownId)
  const [said, setSaid] = useState({ message_id: newest?.message_id ?? 0, text: '' })
  useEffect(() => {
    // After a removal an older message is the newest. This message was announced before.
    if (!newest || newest.message_id <= said.message_id) return
    const arrived = messages
      .filter((one) => one.sender_id !== ownId && one.message_id > said.message_id)
      .slice(-SAID_MAX)
    const text = arrived.map((one) => getSummary(one, false)).join('. ')
    setSaid({
      message_id: newest.message_id,
      text: t('messenger.thread.said', { nick, text }),
    })
  }, [newest, said, messages, ownId, nick])
  return (
    <p role="status" className="sr-only">
      {said.text}
    </p>
  )
}
