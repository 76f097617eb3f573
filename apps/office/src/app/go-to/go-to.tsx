import { useId, useState } from 'react'
import { cx } from '@duet/ui/class-names.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { errorSentence } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { type Destination, useDestinations } from './destinations.ts'

interface GoToProps {
  onClose: () => void
  onKeys: () => void
}

/** Goes to a page, an act, a case, an order or a person by a few letters or a number. */
export function GoTo({ onClose, onKeys }: GoToProps) {
  return (
    <Dialog open onClose={onClose} title={t('office.go.title')} closeLabel={t('action.close')}>
      <Finder onClose={onClose} onKeys={onKeys} />
    </Dialog>
  )
}

function Finder({ onClose, onKeys }: GoToProps) {
  const list = useId()
  const [words, setWords] = useState('')
  const [marked, mark] = useState<string>()
  const { destinations, isSearching, error } = useDestinations(words, onKeys)
  const at = Math.max(
    0,
    destinations.findIndex(({ key }) => key === marked),
  )
  const chosen = destinations[at]
  const move = (by: number) => {
    const next = destinations.at((at + by) % destinations.length)?.key
    mark(next)
    if (next) document.getElementById(optionId(list, next))?.scrollIntoView({ block: 'nearest' })
  }
  const go = (destination: Destination | undefined) => {
    if (!destination) return
    onClose()
    destination.open()
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        go(chosen)
      }}
    >
      <Field
        label={t('office.go.words')}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={chosen && optionId(list, chosen.key)}
        autoFocus
        autoComplete="off"
        maxLength={100}
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          mark(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          move(event.key === 'ArrowDown' ? 1 : -1)
        }}
      />
      {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      <ul id={list} role="listbox" aria-label={t('office.go.title')}>
        {destinations.map((one) => (
          <Option
            key={one.key}
            id={optionId(list, one.key)}
            one={one}
            isMarked={one === chosen}
            onPress={() => go(one)}
          />
        ))}
      </ul>
      <p role="status" className="text-text-2">
        {isSearching ? t('office.loading') : t('office.go.found', { count: destinations.length })}
      </p>
    </form>
  )
}

const optionId = (list: string, key: string) => `${list}${key}`

interface OptionProps {
  id: string
  one: Destination
  isMarked: boolean
  onPress: () => void
}

function Option({ id, one: { icon: Icon, name, detail }, isMarked, onPress }: OptionProps) {
  return (
    <li role="presentation">
      <button
        type="button"
        id={id}
        role="option"
        aria-selected={isMarked}
        tabIndex={-1}
        className={cx(
          'flex min-h-11 w-full items-center gap-3 rounded-control px-2 text-start font-medium md:min-h-9',
          isMarked ? 'bg-surface-3' : 'hover:bg-surface-2',
        )}
        onClick={onPress}
      >
        <Icon size={18} className="shrink-0" />
        <bdi className="min-w-0 truncate">{name}</bdi>
        <bdi className="ms-auto min-w-0 truncate text-text-2">{detail}</bdi>
      </button>
    </li>
  )
}
