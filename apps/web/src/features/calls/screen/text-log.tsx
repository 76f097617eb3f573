import { useEffect, useRef } from 'react'
import { MessageBubble, TypingDots } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCallCommands } from '../call-context.tsx'
import { useOwnUser } from '../../../shared/video/own-user.tsx'
import { useNow } from '../../../shared/video/use-time.ts'
import type { CallText, RunningCall } from '../calls-state.ts'

/** The texts of this call, the newest at the bottom. */
export function TextLog({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  const { id: own_id } = useOwnUser()
  const { texts, typing_until_ms } = call
  const { nick } = call.session.user_interlocutor
  const isTyping = useNow(500, typing_until_ms > 0) < typing_until_ms
  const foot = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Its answer is no clean-up: newer browsers give a promise back.
    foot.current?.scrollIntoView({ block: 'end' })
  }, [texts, isTyping])
  const wasMasked = texts.some(({ text }) => text.includes('***'))
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-5 py-3">
      <div role="log" aria-label={t('video.chat.log')} className="mt-auto flex flex-col gap-1.5">
        {texts.length === 0 ? (
          <p className="note py-6 text-center text-text-3">{t('video.chat.empty')}</p>
        ) : null}
        {texts.map((text, index) => (
          <MessageBubble
            key={`${text.sender_id}-${text.id}`}
            own={text.sender_id === own_id}
            tail={texts[index + 1]?.sender_id !== text.sender_id}
            {...(text.sender_id === own_id && text.state !== 'sent' && { state: stateOf(text) })}
            retry={{
              label: t('video.chat.retry'),
              onPress: () => void commands.retryText(text.id),
            }}
          >
            {text.text}
          </MessageBubble>
        ))}
      </div>
      {wasMasked ? (
        <p className="meta py-2 text-center text-text-3">{t('video.chat.masked')}</p>
      ) : null}
      <p role="status" className="meta flex min-h-7 items-center gap-2 text-text-3">
        {isTyping ? (
          <>
            <TypingDots />
            {t('video.chat.typing', { nick })}
          </>
        ) : null}
      </p>
      <div ref={foot} />
    </div>
  )
}

function stateOf({ state }: CallText) {
  return { kind: state, text: t(`video.chat.${state}`) }
}
