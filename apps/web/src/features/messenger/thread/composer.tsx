import { ArrowUpIcon } from '@phosphor-icons/react/dist/csr/ArrowUp'
import { useEffect, useRef, type FormEvent, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Dialog } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Amount, cx, useMobile, Chip, ChipRow } from '@duet/ui'
import { useAmountFormat } from '../../../shared/amounts.ts'
import { t } from '../../../shared/i18n.ts'
import { useSettings } from '../../../shared/queries.ts'
import { GiftIconButton } from '../../../shared/gifts/gift-button.tsx'
import { firstCharacters } from '../../../shared/texts/first-characters.ts'
import { showToast } from '../../../shared/toasts.ts'
import { useDraft } from '../state/use-draft.ts'
import { useMessenger } from '../use-messenger.ts'
import { PhotoButton } from '../photos/photo-button.tsx'
import { EmojiButton } from './emoji-button.tsx'

/** The text field of the dialog. Enter sends, Shift and Enter break the line. On a phone Enter breaks the line. */
export function Composer({ dialog, nick }: { dialog: Dialog; nick: string }) {
  const { dialog_id, can_write } = dialog
  const messenger = useMessenger()
  const isMobile = useMobile()
  const charactersMax = useSettings()?.message_chars ?? limits.message_characters
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useDraft(dialog_id)
  useEffect(() => {
    if (!isMobile) field.current?.focus()
  }, [dialog_id, isMobile])
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    const written = text.trim()
    if (!written) return
    if (!messenger.send(dialog_id, written)) {
      showToast({ kind: 'error', title: t('messenger.too_many_waiting') })
      return
    }
    setText('')
    field.current?.focus()
  }
  const insert = (emoji: string) => {
    const start = field.current?.selectionStart ?? text.length
    const end = field.current?.selectionEnd ?? start
    const written = text.slice(0, start) + emoji + text.slice(end)
    if (firstCharacters(written, charactersMax) !== written) return
    flushSync(() => setText(written))
    field.current?.setSelectionRange(start + emoji.length, start + emoji.length)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || isMobile || isComposing(event.nativeEvent))
      return
    event.preventDefault()
    send()
  }
  const label = t('person.write_to', { nick })
  return (
    <>
      <QuickPhrases
        onChoose={(phrase) => {
          setText(text ? `${text} ${phrase}` : phrase)
          field.current?.focus()
        }}
        isShown={text === ''}
      />
      <form
        onSubmit={send}
        className="flex min-h-14 items-end gap-2 rounded-[28px] bg-surface-2 p-1.5 shadow-[inset_0_0_0_1px_var(--hair-2)] focus-within:shadow-[inset_0_0_0_1.5px_var(--ember-hi)]"
      >
        <PhotoButton dialog_id={dialog_id} nick={nick} credits={can_write.credits ?? 0} />
        <GiftIconButton person={dialog.interlocutor} dialog_id={dialog_id} />
        <textarea
          ref={field}
          data-route-focus={isMobile ? undefined : ''}
          value={text}
          rows={1}
          onChange={({ target }) => {
            setText(firstCharacters(target.value, charactersMax))
            if (target.value) messenger.typing(dialog_id)
          }}
          onKeyDown={onKeyDown}
          placeholder={label}
          aria-label={label}
          enterKeyHint={isMobile ? 'enter' : 'send'}
          autoComplete="off"
          dir="auto"
          className="body field-sizing-content max-h-[calc(6*1.5em+20px)] min-w-0 flex-1 resize-none bg-transparent py-2.5 text-[1rem]! outline-none first:ps-4"
        />
        {isMobile ? null : <EmojiButton onChoose={insert} />}
        <Cost can_write={can_write} />
        <button
          type="submit"
          aria-label={t('action.send')}
          className={cx(
            'hit flex size-11 shrink-0 items-center justify-center rounded-full transition-opacity',
            text.trim() ? 'ember-fill' : 'bg-surface-4 text-text-2 opacity-60',
          )}
        >
          <ArrowUpIcon size={22} weight="bold" />
        </button>
      </form>
    </>
  )
}

/**
 * Whether the key belongs to an input method, which composes a word of several keys. Older Safari ends the composition
 * before the key that accepts the word, and marks the key by the code 229 only.
 */
function isComposing({ isComposing, keyCode }: globalThis.KeyboardEvent): boolean {
  return isComposing || keyCode === 229
}

/** The price of a guy's next message, or the earnings of a girl's next message. */
function Cost({ can_write: { credits, reward } }: Pick<Dialog, 'can_write'>) {
  const formatAmount = useAmountFormat()
  if (reward !== undefined)
    return (
      <span className="flex h-11 items-center">
        <Amount
          kind="coin"
          tone="gold"
          value={formatAmount('coin', reward)}
          label={t('messenger.composer.reward', {
            value: formatAmount('coin', reward),
            count: Number(reward),
          })}
        />
      </span>
    )
  if (!credits) return null
  return (
    <span className="flex h-11 items-center">
      <Amount
        kind="message"
        value={String(credits)}
        label={t('messenger.composer.credit', { count: credits })}
      />
    </span>
  )
}

/** Phrases of the operator, above an empty composer. A press writes a phrase and sends nothing. */
function QuickPhrases({
  onChoose,
  isShown,
}: {
  onChoose: (phrase: string) => void
  isShown: boolean
}) {
  const phrases = useSettings()?.fast_phrases ?? []
  if (!isShown || phrases.length === 0) return null
  return (
    <ChipRow label={t('messenger.composer.phrases')}>
      {phrases.map((phrase) => (
        <Chip key={phrase} onClick={() => onChoose(phrase)}>
          <bdi>{phrase}</bdi>
        </Chip>
      ))}
    </ChipRow>
  )
}
