import { memo, useEffect, useLayoutEffect, useRef } from 'react'
import { MessageBubble, TypingDots } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCallCommands } from '../call-context.tsx'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { TranslationNote } from '../../../shared/texts/translation/translation-note.tsx'
import { usePassed } from '../../../shared/controls/use-time.ts'
import type { CallText, RunningCall } from '../calls-state.ts'
import { useTextTranslation } from './call-translation.tsx'

/** A reader who is this close to the newest text follows it. */
const AT_END_PX = 48

/** The texts of this call, the newest at the bottom. */
export function TextLog({ call }: { call: RunningCall }) {
  const { texts, typing_until_ms } = call
  const { id: own_id } = useOwnUser()
  const isOver = usePassed(typing_until_ms, 0)
  const isTyping = typing_until_ms > 0 && !isOver
  const log = useFollowedLog(texts, own_id, isTyping)
  const wasMasked = texts.some(({ text }) => text.includes('***'))
  return (
    <div
      ref={log}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-5 py-3"
    >
      <Texts texts={texts} own_id={own_id} />
      {wasMasked ? (
        <p className="meta py-2 text-center text-text-3">{t('video.chat.masked')}</p>
      ) : null}
      <p role="status" className="meta flex min-h-7 items-center gap-2 text-text-3">
        {isTyping ? (
          <>
            <TypingDots />
            {t('video.chat.typing', { nick: call.session.user_interlocutor.nick })}
          </>
        ) : null}
      </p>
    </div>
  )
}

/** Scrolls to the newest text, unless the user reads earlier texts. An own text always scrolls the log. */
function useFollowedLog(texts: readonly CallText[], ownId: number, isTyping: boolean) {
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const latestOwn = texts.findLast(({ sender_id }) => sender_id === ownId)?.id
  useEffect(() => {
    const element = log.current
    const note = () => {
      if (element) isAtEnd.current = distanceToEnd(element) <= AT_END_PX
    }
    element?.addEventListener('scroll', note, { passive: true })
    return () => element?.removeEventListener('scroll', note)
  }, [])
  useLayoutEffect(() => {
    isAtEnd.current = true
  }, [latestOwn])
  useLayoutEffect(() => {
    if (log.current && isAtEnd.current) log.current.scrollTop = log.current.scrollHeight
  }, [texts, isTyping])
  return log
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight
}

/** Up to 300 bubbles, rendered when a text changes and not with every event of the call. The announcer reads new texts aloud. */
const Texts = memo(function Texts({
  texts,
  own_id,
}: {
  texts: readonly CallText[]
  own_id: number
}) {
  return (
    <div
      role="log"
      aria-live="off"
      aria-label={t('word.messages')}
      className="mt-auto flex flex-col gap-1.5"
    >
      {texts.length === 0 ? (
        <p className="note py-6 text-center text-text-3">{t('video.chat.empty')}</p>
      ) : null}
      {texts.map((text, index) => (
        <TextBubble
          key={`${text.sender_id}-${text.id}`}
          text={text}
          own_id={own_id}
          is_tail={texts[index + 1]?.sender_id !== text.sender_id}
        />
      ))}
    </div>
  )
})

interface TextBubbleProps {
  readonly text: CallText
  readonly own_id: number
  readonly is_tail: boolean
}

function TextBubble({ text, own_id, is_tail }: TextBubbleProps) {
  const commands = useCallCommands()
  const isOwn = text.sender_id === own_id
  const translation = useTextTranslation(text, own_id)
  return (
    <MessageBubble
      own={isOwn}
      tail={is_tail}
      {...(isOwn && text.state !== 'sent' && { state: getState(text) })}
      retry={{ label: t('video.chat.retry'), onPress: () => void commands.retryText(text.id) }}
      notes={translation ? <TranslationNote {...translation} /> : undefined}
    >
      {translation?.shown ? (
        <span lang={translation.shown.locale}>{translation.shown.text}</span>
      ) : (
        text.text
      )}
    </MessageBubble>
  )
}

function getState({ state }: CallText) {
  return { kind: state, text: t(`video.chat.${state}`) }
}
