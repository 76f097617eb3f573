import { useState } from 'react'
import { useNavigate } from 'react-router'
import { cx } from '@duet/ui/class-names.ts'
import { Field } from '@duet/ui/fields/field.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { useStaff } from '../shared/session.tsx'
import { locale, t } from '../shared/texts.ts'
import { groups, type OfficePage } from './pages.ts'

/** Goes to a page by a few letters of its name. */
export function GoTo({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('office.go.title')}
      closeLabel={t('action.close')}
    >
      <Finder onClose={onClose} />
    </Dialog>
  )
}

function Finder({ onClose }: { onClose: () => void }) {
  const { role } = useStaff()
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const [marked, setMarked] = useState(0)
  const wanted = words.trim().toLocaleLowerCase(locale)
  const found = groups
    .flatMap(({ pages }) => pages)
    .filter(({ roles }) => roles.includes(role))
    .filter(({ title }) => t(title).toLocaleLowerCase(locale).includes(wanted))
  const go = (page: OfficePage | undefined) => {
    if (!page) return
    onClose()
    void navigate(`/${page.path}`)
  }
  const mark = (by: number) => setMarked((marked + by + found.length) % Math.max(1, found.length))
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        go(found[marked])
      }}
    >
      <Field
        label={t('office.go.words')}
        autoFocus
        autoComplete="off"
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          setMarked(0)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          mark(event.key === 'ArrowDown' ? 1 : -1)
        }}
      />
      <ul aria-live="polite">
        {found.map((page, index) => (
          <li key={page.path}>
            <button
              type="button"
              className={cx(
                'flex h-9 w-full items-center gap-3 rounded-control px-2 text-start font-medium',
                index === marked ? 'bg-surface-3' : 'hover:bg-surface-2',
              )}
              onClick={() => go(page)}
            >
              <page.icon size={18} /> {t(page.title)}
            </button>
          </li>
        ))}
        {found.length === 0 && <li className="text-text-2">{t('office.go.nothing')}</li>}
      </ul>
    </form>
  )
}
