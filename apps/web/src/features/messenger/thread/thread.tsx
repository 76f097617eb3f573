import { ArrowDownIcon } from '@phosphor-icons/react/dist/csr/ArrowDown'
import { useEffect, useMemo, useState } from 'react'
import { Virtualizer } from 'virtua'
import { Button, IconButton, Skeleton, Spinner, TypingDots, useSkeleton } from '@duet/ui'
import { useSnapshot } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { usePassed } from '../../../shared/controls/use-time.ts'
import { useStore } from '../../../shared/observable-store.ts'
import type { Thread } from '../state/messages.ts'
import { useMessenger, useMessengerState } from '../use-messenger.ts'
import { ArrivedText } from './arrived-text.tsx'
import { useLeavingRows } from './leaving-rows.ts'
import { ThreadRow } from './thread-row.tsx'
import { threadItems } from './thread-items.ts'
import { useThreadScroll } from './use-thread-scroll.ts'

/** Older messages are fetched when the beginning is this near. */
const NEAR_START_PX = 800

/** The messages of a dialog, the newest at the bottom. */
export function ThreadLog({ dialog_id, nick }: { dialog_id: number; nick: string }) {
  const messenger = useMessenger()
  const thread = useMessengerState(({ threads }) => threads.get(dialog_id))
  const allUnsent = useMessengerState(({ unsent }) => unsent)
  const allUploads = useStore(messenger.uploads)
  const ownId = useMessengerState(({ own_id }) => own_id)
  const items = useMemo(
    () =>
      thread
        ? threadItems(
            thread,
            {
              unsent: allUnsent.filter((one) => one.dialog_id === dialog_id),
              uploads: allUploads.filter((one) => one.dialog_id === dialog_id),
            },
            ownId,
          )
        : [],
    [thread, allUnsent, allUploads, dialog_id, ownId],
  )
  if (!thread || thread.status === 'loading') return <LoadingThread />
  if (thread.status === 'failed')
    return (
      <div
        role="alert"
        className="flex flex-1 flex-col items-center justify-center gap-4 px-6 text-center"
      >
        <p className="body text-text-2">{t('messenger.thread.failed')}</p>
        <Button onClick={() => void messenger.openDialog(dialog_id).catch(() => {})}>
          {t('action.retry')}
        </Button>
      </div>
    )
  return <ReadyThread key={dialog_id} {...{ dialog_id, nick, thread, items, ownId }} />
}

interface ReadyThreadProps {
  dialog_id: number
  nick: string
  thread: Thread
  items: ReturnType<typeof threadItems>
  ownId: number
}

function ReadyThread({ dialog_id, nick, thread, items, ownId }: ReadyThreadProps) {
  const { rows, onLeft } = useLeavingRows(items)
  const messenger = useMessenger()
  const typingUntilMs = useMessengerState(({ typing }) => typing.get(dialog_id) ?? 0)
  const { list, log, isAtEnd, shifts, scrollToEnd, onScroll } = useThreadScroll(
    thread,
    rows,
    typingUntilMs,
  )
  const arrived = useArrivals(thread, ownId, isAtEnd)
  useReading(dialog_id, thread, isAtEnd)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={log}
        role="log"
        aria-live="off"
        aria-label={t('messenger.thread.label', { nick })}
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] md:px-7"
      >
        {/* A few messages stand at the bottom. */}
        <div className="flex-1" />
        <Virtualizer
          ref={list}
          data={rows}
          shift={shifts}
          onScroll={(offset) => {
            onScroll(offset)
            if (offset < NEAR_START_PX && thread.has_older && thread.older === 'idle')
              void messenger.loadOlder(dialog_id)
          }}
        >
          {(item, index) => (
            <ThreadRow
              key={item.key}
              item={item}
              onLeft={onLeft}
              head={index === 0 ? <Head thread={thread} dialog_id={dialog_id} /> : null}
            />
          )}
        </Virtualizer>
      </div>
      <ArrivedText messages={thread.messages} ownId={ownId} nick={nick} />
      {rows.length === 0 ? <NothingYet nick={nick} /> : null}
      <Typing untilMs={typingUntilMs} nick={nick} />
      {isAtEnd ? null : (
        <span className="absolute inset-x-0 bottom-3 flex justify-center">
          {arrived > 0 ? (
            <Button
              size={44}
              variant="primary"
              icon={<ArrowDownIcon size={16} weight="bold" />}
              onClick={scrollToEnd}
            >
              {t('messenger.thread.arrived', { count: arrived })}
            </Button>
          ) : (
            <IconButton
              variant="glass"
              label={t('messenger.thread.newest')}
              icon={<ArrowDownIcon size={20} weight="bold" />}
              onClick={scrollToEnd}
            />
          )}
        </span>
      )}
    </div>
  )
}

/** How many messages of the interlocutor arrived while the reader was further up. */
function useArrivals({ messages }: Thread, ownId: number, isAtEnd: boolean): number {
  const newest = messages.at(-1)?.message_id ?? 0
  const [seen, setSeen] = useState(newest)
  useEffect(() => {
    if (isAtEnd) setSeen(newest)
  }, [isAtEnd, newest])
  return messages.filter(({ message_id, sender_id }) => message_id > seen && sender_id !== ownId)
    .length
}

/** Reports read messages to the server: only on a visible page, at the end of the thread. */
function useReading(dialog_id: number, { messages }: Thread, isAtEnd: boolean): void {
  const messenger = useMessenger()
  // A reading that met a lost connection is repeated after the next connection.
  const { phase } = useSnapshot()
  useEffect(() => {
    if (!isAtEnd) return
    const read = () => {
      if (document.visibilityState === 'visible' && document.hasFocus())
        messenger.markRead(dialog_id)
    }
    read()
    document.addEventListener('visibilitychange', read)
    addEventListener('focus', read)
    return () => {
      document.removeEventListener('visibilitychange', read)
      removeEventListener('focus', read)
    }
  }, [messenger, dialog_id, messages, isAtEnd, phase])
}

/** Above the oldest fetched message: more are coming, could not come, or this is the beginning. */
function Head({ thread, dialog_id }: { thread: Thread; dialog_id: number }) {
  const messenger = useMessenger()
  if (thread.older === 'failed')
    return (
      <span className="flex justify-center py-4">
        <Button size={44} onClick={() => void messenger.loadOlder(dialog_id)}>
          {t('messenger.thread.older_failed')}
        </Button>
      </span>
    )
  if (thread.has_older)
    return (
      <span className="flex h-14 items-center justify-center">
        {thread.older === 'loading' ? <Spinner size={20} /> : null}
      </span>
    )
  return <p className="meta py-5 text-center text-text-3">{t('messenger.thread.beginning')}</p>
}

function NothingYet({ nick }: { nick: string }) {
  return (
    <p className="body pointer-events-none absolute inset-0 flex items-center justify-center px-8 text-center text-text-2">
      {t('messenger.thread.empty', { nick })}
    </p>
  )
}

function Typing({ untilMs, nick }: { untilMs: number; nick: string }) {
  const isOver = usePassed(untilMs, 0)
  const isTyping = untilMs > 0 && !isOver
  return (
    <p role="status" className="meta flex min-h-7 items-center gap-2.5 px-5 text-text-3 md:px-8">
      {isTyping ? (
        <>
          <TypingDots />
          {t('messenger.typing', { nick })}
        </>
      ) : null}
    </p>
  )
}

function LoadingThread() {
  const isShown = useSkeleton(true)
  return (
    <div aria-busy className="flex min-h-0 flex-1 flex-col justify-end gap-4 px-7 pb-6">
      {isShown
        ? ['w-2/5', 'w-1/2 self-end', 'w-1/3', 'w-2/5 self-end'].map((width) => (
            <Skeleton key={width} className={`h-12 rounded-bubble! ${width}`} />
          ))
        : null}
    </div>
  )
}
