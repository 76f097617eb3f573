import { toRole } from '@duet/protocol/kernel/roles.ts'
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import type { CastMember } from '@duet/protocol'
import { Avatar, Chip, ChipRow, Spinner } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useDemoSignIn } from './sign-in.ts'

const GUYS_SHOWN = 1
const GIRLS_SHOWN = 3

/** A row on the landing page of a demo: sign in as a demo user here or in a second window. */
export function DemoUsers({ cast }: { cast: readonly CastMember[] }) {
  const { busy_id, signIn } = useDemoSignIn()
  const men = cast.filter(({ role }) => toRole(role) === 'guy').slice(0, GUYS_SHOWN)
  const women = cast.filter(({ role }) => role === 'girl').slice(0, GIRLS_SHOWN)
  if (cast.length === 0) return null
  return (
    <section aria-label={t('demo.sign_in')} className="flex flex-col gap-2 md:mt-6">
      <p className="meta text-text-3 max-md:hidden">{t('demo.sign_in')}</p>
      <ChipRow>
        <span className="meta self-center text-text-3 md:hidden">{t('demo.short')}</span>
        {[...men, ...women].map((person) => (
          <Chip
            key={person.user_id}
            aria-label={t('demo.sign_in_as', { nick: person.nick })}
            onClick={() => signIn(person.user_id)}
            icon={
              busy_id === person.user_id ? (
                <Spinner size={22} />
              ) : (
                <Avatar name="" src={person.avatar} size={22} />
              )
            }
          >
            <bdi>{person.nick}</bdi>
          </Chip>
        ))}
        <Chip icon={<UsersThreeIcon size={18} />} onClick={() => dialogs.open('demo_window', {})}>
          {t('demo.everybody')}
        </Chip>
      </ChipRow>
    </section>
  )
}
