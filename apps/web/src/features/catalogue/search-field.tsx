import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { useEffect, useEffectEvent, useState } from 'react'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { cx } from '@duet/ui'
import { useSettled } from '../../shared/controls/use-time.ts'
import { t } from '../../shared/i18n.ts'

/** The list follows when the user has typed nothing for this long. */
const TYPING_MS = 300

interface SearchFieldProps {
  /** The name that the list shows. Another name from outside replaces what is typed. */
  readonly name: string
  readonly onChange: (name: string) => void
  readonly className?: string
}

/** Searches by the beginning of a name. */
export function SearchField({ name, onChange, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(name)
  const [shown, setShown] = useState(name)
  if (name !== shown) {
    setShown(name)
    setTyped(name)
  }
  const settled = useSettled(typed, TYPING_MS)
  const search = () => {
    if (typed === name) return
    setShown(typed)
    onChange(typed)
  }
  const follow = useEffectEvent((next: string) => {
    // A name that came from outside settles later.
    if (next === typed) search()
  })
  useEffect(() => follow(settled), [settled])
  return (
    <label
      className={cx(
        'flex min-h-11 items-center gap-2 rounded-full bg-surface-2 px-4 text-text-2 shadow-[inset_0_0_0_1px_var(--hair-2)] has-[:focus-visible]:shadow-[inset_0_0_0_2px_var(--ember-hi)]',
        className,
      )}
    >
      <MagnifyingGlassIcon size={20} aria-hidden className="shrink-0" />
      <input
        type="search"
        value={typed}
        maxLength={limits.query_characters}
        placeholder={t('catalogue.search')}
        aria-label={t('catalogue.search')}
        autoComplete="off"
        enterKeyHint="search"
        dir="auto"
        onChange={({ target }) => setTyped(target.value)}
        // A press on another control does not wait.
        onBlur={search}
        onKeyDown={({ key }) => key === 'Enter' && search()}
        className="ui min-w-0 flex-1 bg-transparent text-text outline-none placeholder:text-text-3"
      />
    </label>
  )
}
