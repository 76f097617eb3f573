import { toRole } from '@duet/protocol/kernel/roles.ts'
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import type { CastMember } from '@duet/protocol'
import { Avatar, Chip, ChipRow, Spinner } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'

const GUYS_SHOWN = 1
const GIRLS_SHOWN = 3
/** The name of a press on a demo user, for a press before the application is loaded. The number is the place in the row. */
const PRESS = /^demo (\d+)$/

/** The demo users of the row on the landing page. */
export function toShown(cast: readonly CastMember[]): readonly CastMember[] {
  return [
    ...cast.filter(({ role }) => toRole(role) === 'guy').slice(0, GUYS_SHOWN),
    ...cast.filter(({ role }) => toRole(role) === 'girl').slice(0, GIRLS_SHOWN),
  ]
}

/** The demo user of a press that came before the application was loaded. */
export function findPressed(
  cast: readonly CastMember[],
  pressed: string | undefined,
): CastMember | undefined {
  const place = PRESS.exec(pressed ?? '')?.[1]
  return place === undefined ? undefined : toShown(cast)[Number(place)]
}

/** A row on the landing page of a demo: sign in as a demo user here or in a second window. */
export function DemoUsers({
  cast,
  busy_id,
  onSignIn,
}: {
  cast: readonly CastMember[]
  busy_id: number | undefined
  onSignIn: (user_id: number) => void
}) {
  if (cast.length === 0) return null
  return (
    <section aria-label={t('demo.sign_in')} className="flex flex-col gap-2 md:mt-6">
      <p className="meta text-text-3 max-md:hidden">{t('demo.sign_in')}</p>
      <ChipRow>
        <span className="meta self-center text-text-3 md:hidden">{t('demo.short')}</span>
        {toShown(cast).map(({ user_id, nick, avatar }, place) => (
          <Chip
            key={user_id}
            data-press={`demo ${place}`}
            aria-label={t('demo.sign_in_as', { nick })}
            onClick={() => onSignIn(user_id)}
            icon={
              busy_id === user_id ? (
                <Spinner size={22} />
              ) : (
                <Avatar name={nick} decorative src={avatar} size={22} />
              )
            }
          >
            <bdi>{nick}</bdi>
          </Chip>
        ))}
        <Chip
          data-press="demo"
          icon={<UsersThreeIcon size={18} />}
          onClick={() => dialogs.open('demo_window', {})}
        >
          {t('demo.everybody')}
        </Chip>
      </ChipRow>
    </section>
  )
}
