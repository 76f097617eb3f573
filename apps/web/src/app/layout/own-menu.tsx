import { GlobeIcon } from '@phosphor-icons/react/dist/csr/Globe'
import { MoonIcon } from '@phosphor-icons/react/dist/csr/Moon'
import { SignOutIcon } from '@phosphor-icons/react/dist/csr/SignOut'
import { SpeakerHighIcon } from '@phosphor-icons/react/dist/csr/SpeakerHigh'
import { SpeakerSlashIcon } from '@phosphor-icons/react/dist/csr/SpeakerSlash'
import { SunIcon } from '@phosphor-icons/react/dist/csr/Sun'
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import { UserCircleIcon } from '@phosphor-icons/react/dist/csr/UserCircle'
import type { ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { Menu, type MenuProps } from '@duet/ui'
import type { User } from '@duet/protocol'
import { currentLocale, locales, t, translatedLocales } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useOwnUser, useAppServices } from '../../shared/app-services.tsx'
import { turnSounds, useSoundsOff } from '../../shared/sound.ts'
import { logOut } from '../../features/identity/log-out.ts'
import { chooseTheme, usePaintedTheme } from '../../features/identity/theme.ts'
import { PremiumUntil } from '../../shared/account/premium-until.tsx'

/** The menu of the own portrait: name, Premium, profile, language, theme, sounds, log out. */
export function OwnMenu({
  trigger,
  side,
}: {
  trigger: ReactElement
  side: NonNullable<MenuProps['side']>
}) {
  const services = useAppServices()
  const user = useOwnUser()
  const navigate = useNavigate()
  const soundsOff = useSoundsOff()
  const other = usePaintedTheme() === 'dark' ? 'light' : 'dark'
  return (
    <Menu
      trigger={trigger}
      side={side}
      align="end"
      header={user ? <OwnName user={user} /> : undefined}
      entries={[
        {
          label: t('nav.profile'),
          icon: <UserCircleIcon size={20} />,
          onSelect: () => void navigate('/profile/'),
        },
        {
          label: t('nav.referral'),
          icon: <UsersThreeIcon size={20} />,
          onSelect: () => dialogs.open('referral', {}),
        },
        // A single language is no choice.
        ...(translatedLocales().length > 1
          ? [
              {
                label: t('nav.language', { language: locales[currentLocale()].name }),
                icon: <GlobeIcon size={20} />,
                onSelect: () => dialogs.open('languages', {}),
              },
            ]
          : []),
        {
          label: t(`theme.to_${other}`),
          icon: other === 'light' ? <SunIcon size={20} /> : <MoonIcon size={20} />,
          onSelect: () => void chooseTheme(services, other),
        },
        {
          label: t(soundsOff ? 'sound.turn_on' : 'sound.turn_off'),
          icon: soundsOff ? <SpeakerHighIcon size={20} /> : <SpeakerSlashIcon size={20} />,
          onSelect: () => turnSounds(soundsOff),
        },
        'line',
        {
          label: t('action.log_out'),
          icon: <SignOutIcon size={20} className="mirror" />,
          onSelect: () => void logOut(services, navigate),
        },
      ]}
    />
  )
}

function OwnName({ user }: { user: User }) {
  return (
    <span className="flex flex-col gap-1.5">
      <bdi>{user.nick}</bdi>
      <PremiumUntil user={user} />
    </span>
  )
}
