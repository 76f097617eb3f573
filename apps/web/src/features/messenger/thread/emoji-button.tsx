import { SmileyIcon } from '@phosphor-icons/react/dist/csr/Smiley'
import { useRef, useState, type KeyboardEvent } from 'react'
import { IconButton, Popover } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'

const COLUMNS = 8
const EMOJI = [
  ...['😊', '😀', '😂', '🤣', '😅', '😉', '😍', '🥰'],
  ...['😘', '😇', '😎', '🤩', '🤗', '🤔', '😏', '🙃'],
  ...['😋', '😜', '😌', '😴', '🥺', '😢', '😭', '😳'],
  ...['😮', '😬', '🙄', '😤', '🤭', '🤫', '🥳', '😈'],
  ...['👋', '👍', '👏', '🙏', '🤝', '👌', '✌️', '💪'],
  ...['❤️', '🧡', '💛', '💚', '💙', '💜', '🤍', '💔'],
  ...['💋', '💐', '🌹', '🌸', '🌞', '🌙', '⭐', '🔥'],
  ...['🎉', '🎁', '🎶', '☕', '🍷', '🍓', '🐱', '✨'],
]

/** Opens a grid of emoji. A press writes an emoji and leaves the grid open for more emoji. */
export function EmojiButton({ onChoose }: { onChoose: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      side="top"
      align="end"
      className="p-2!"
      trigger={
        <IconButton
          variant="quiet"
          label={t('messenger.composer.emoji')}
          icon={<SmileyIcon size={24} />}
        />
      }
    >
      <EmojiGrid onChoose={onChoose} />
    </Popover>
  )
}

/** The grid is one stop of the Tab key. The arrow keys, Home and End move inside. */
function EmojiGrid({ onChoose }: { onChoose: (emoji: string) => void }) {
  const [current, setCurrent] = useState(0)
  const grid = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedTo(current, event.key, getComputedStyle(event.currentTarget).direction)
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next)
    grid.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={grid}
      role="group"
      aria-label={t('messenger.composer.emoji')}
      onKeyDown={onKeyDown}
      className="grid max-h-[40vh] grid-cols-8 overflow-y-auto"
    >
      {EMOJI.map((emoji, index) => (
        <button
          key={emoji}
          type="button"
          tabIndex={index === current ? 0 : -1}
          onClick={() => {
            setCurrent(index)
            onChoose(emoji)
          }}
          className="flex size-9 items-center justify-center rounded-control text-[1.375rem] leading-none hover:bg-surface-4 pointer-coarse:size-10"
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}

function movedTo(current: number, key: string, direction: string): number | undefined {
  const forward = direction === 'rtl' ? -1 : 1
  const steps: Record<string, number> = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ArrowDown: COLUMNS,
    ArrowUp: -COLUMNS,
    Home: -current,
    End: EMOJI.length - 1 - current,
  }
  const step = steps[key]
  if (step === undefined) return undefined
  const next = current + step
  return next < 0 || next >= EMOJI.length ? current : next
}
