import { useState, type FormEvent } from 'react'
import { ArrowUpIcon } from '@phosphor-icons/react/dist/csr/ArrowUp'
import { cx } from '@duet/ui'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { t } from '../../../shared/i18n.ts'
import { useSettings } from '../../../shared/queries.ts'
import { firstCharacters } from '../../../shared/texts/first-characters.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useCallCommands } from '../call-context.tsx'

interface ComposerProps {
  placeholder: string
  /** It lies on the picture instead of a panel. */
  onPicture?: boolean
}

/** A text field of one line. Enter sends the text. */
export function Composer({ placeholder, onPicture }: ComposerProps) {
  const commands = useCallCommands()
  const charactersMax = useSettings()?.message_chars ?? limits.message_characters
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim()) return
    void commands.sendText(text)
    setText('')
  }
  return (
    <form
      onSubmit={send}
      className={cx(
        'flex min-h-13 min-w-0 flex-1 items-center gap-2 rounded-full p-1.5 ps-5',
        onPicture ? ON_PICTURE : 'bg-surface-3',
      )}
    >
      <input
        data-composer
        value={text}
        onChange={(event) => {
          setText(firstCharacters(event.target.value, charactersMax))
          if (event.target.value) commands.typing()
        }}
        placeholder={placeholder}
        aria-label={placeholder}
        enterKeyHint="send"
        autoComplete="off"
        dir="auto"
        className={cx(
          'body min-w-0 flex-1 bg-transparent text-[1rem]! text-text outline-none',
          onPicture && 'placeholder:text-text/80',
        )}
      />
      <button
        type="submit"
        aria-label={t('action.send')}
        className={cx(
          'hit flex size-10 shrink-0 items-center justify-center rounded-full transition-opacity',
          text.trim() ? 'ember-fill' : 'bg-surface-4 text-text-2 opacity-60',
        )}
      >
        <ArrowUpIcon size={20} weight="bold" />
      </button>
    </form>
  )
}
