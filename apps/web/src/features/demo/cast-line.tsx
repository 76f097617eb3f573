import type { CastMember } from '@duet/protocol'
import { Avatar, Spinner } from '@duet/ui'
import { t } from '../../lib/i18n.ts'
import { modals } from '../../lib/modals.ts'
import { useCastSignIn } from './sign-in.ts'

const shown_men = 1
const shown_women = 4

/** One line on the landing page of a demo: be one of the cast, or let a second window be one. */
export function CastLine({ cast }: { cast: readonly CastMember[] }) {
  const { busy_id, signIn } = useCastSignIn()
  const men = cast.filter(({ role }) => role === 'men').slice(0, shown_men)
  const women = cast.filter(({ role }) => role === 'girl').slice(0, shown_women)
  if (cast.length === 0) return null
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-bubble bg-[color-mix(in_srgb,var(--surface-2)_72%,transparent)] py-2.5 ps-4 pe-2.5 shadow-card">
      <span className="note text-text-2">{t('demo.sign_in')}</span>
      <ul className="flex gap-1.5">
        {[...men, ...women].map((person) => (
          <li key={person.user_id}>
            <button
              type="button"
              aria-label={t('demo.sign_in_as', { nick: person.nick })}
              title={person.nick}
              aria-busy={busy_id === person.user_id || undefined}
              onClick={() => signIn(person.user_id)}
              className="hit flex rounded-full transition-transform hover:-translate-y-0.5"
            >
              {busy_id === person.user_id ? <Spinner size={40} /> : <Avatar name="" src={person.avatar} size={40} />}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => modals.open('demo_window', {})}
        className="ui min-h-11 rounded-full px-3 hover:bg-surface-3"
      >
        {t('demo.everybody')}
      </button>
    </div>
  )
}
