import type { ReactNode } from 'react'
import { AddressBookIcon } from '@phosphor-icons/react/dist/csr/AddressBook'
import { HandHeartIcon } from '@phosphor-icons/react/dist/csr/HandHeart'
import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { ImageSquareIcon } from '@phosphor-icons/react/dist/csr/ImageSquare'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { UserFocusIcon } from '@phosphor-icons/react/dist/csr/UserFocus'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { Button, buttonLook, cx, Petal } from '@duet/ui'
import { PageFrame } from '../../shared/frame.tsx'
import { t, type TextId } from '../../shared/i18n.ts'
import { DeviceCheck, OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { useLocalMedia, useMediaDevices } from '../../shared/video/local-media.tsx'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { AutoAcceptSwitch } from './auto-accept-switch.tsx'
import { AvailableSwitch } from './available-switch.tsx'
import { IdleReason, type StartPress, StartRow } from './idle-parts.tsx'
import type { IdleView } from './matchmaking-state.ts'

/** A girl's studio: her own picture as guests will see it, and the button that begins. */
export function GirlIdle({ screen, start }: { screen: IdleView; start: StartPress }) {
  const me = useOwnUser()
  const canStart = me.is_verified && me.avatar_shown
  useKeys({ Enter: () => canStart && start.onStart() })
  return (
    <PageFrame title={t(greeting(new Date().getHours()), { nick: me.nick ?? '' })}>
      <IdleReason reason={screen.reason} />
      <section className="panel grid items-center gap-6 overflow-hidden p-4 md:grid-cols-[minmax(0,356px)_minmax(0,1fr)] md:gap-8 md:p-5 lg:grid-cols-[minmax(0,440px)_minmax(0,1fr)]">
        <OwnPetal />
        <div className="flex min-w-0 flex-col gap-4 max-md:px-1 max-md:pb-2">
          <div>
            <h2 className="display-l">{t(getTitle(me))}</h2>
            <p className="body mt-2 max-w-[44ch] text-[1.0625rem]! text-text-2">{t(getText(me))}</p>
          </div>
          {canStart ? (
            <>
              <StartRow size={54} label={t('matching.studio.start')} {...start} />
              <div className="max-w-[440px]">
                <AutoAcceptSwitch
                  label={t('video.idle.at_once')}
                  help={t('matching.studio.at_once_text')}
                />
              </div>
              <div className="max-w-[440px]">
                <AvailableSwitch />
              </div>
            </>
          ) : (
            <FirstStep me={me} />
          )}
        </div>
      </section>
      <Rules />
    </PageFrame>
  )
}

/** In the place of Start: the steps that the girl has to finish first. */
function FirstStep({ me }: { me: Standing }) {
  const isWaiting = me.is_verified ? me.avatar_status === 'pending' : me.verify_state === 'checking'
  const look = cx(
    buttonLook({ variant: isWaiting ? 'secondary' : 'primary', size: 54 }),
    'self-start',
  )
  if (me.is_verified)
    return (
      <Link to="/profile/#avatar" className={look}>
        <ImageSquareIcon size={22} weight="duotone" />
        {t(isWaiting ? 'matching.studio.photo_look' : 'matching.studio.photo_start')}
      </Link>
    )
  return (
    <Link to="/verification/" className={look}>
      <IdentificationCardIcon size={22} weight="duotone" />
      {t(isWaiting ? 'matching.studio.verify_look' : 'matching.studio.verify_start')}
    </Link>
  )
}

function OwnPetal() {
  const media = useMediaDevices()
  const { video_track, status } = useLocalMedia()
  return (
    <Petal shape="hers" className="aspect-[356/232] w-full max-md:aspect-[335/250]">
      <OwnPicture />
      {video_track ? (
        <DeviceCheck />
      ) : (
        <span className="absolute inset-x-0 bottom-4 z-1 flex justify-center">
          <Button
            variant="glass"
            busy={status === 'asking'}
            icon={<VideoCameraIcon size={18} weight="fill" className="mirror" />}
            onClick={() => void media.acquire({ want: 'both' })}
          >
            {t('matching.studio.check')}
          </Button>
        </span>
      )}
    </Petal>
  )
}

const rules: readonly { icon: ReactNode; text: TextId }[] = [
  { icon: <UserFocusIcon size={28} weight="duotone" />, text: 'matching.studio.rule.only_you' },
  { icon: <HandHeartIcon size={28} weight="duotone" />, text: 'matching.studio.rule.present' },
  { icon: <ProhibitIcon size={28} weight="duotone" />, text: 'matching.studio.rule.nudity' },
  { icon: <AddressBookIcon size={28} weight="duotone" />, text: 'matching.studio.rule.contacts' },
]

function Rules() {
  return (
    <section aria-labelledby="studio-rules" className="panel p-5 md:px-6">
      <h2 id="studio-rules" className="sr-only">
        {t('matching.studio.rules')}
      </h2>
      <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
        {rules.map(({ icon, text }) => (
          <li key={text} className="note flex items-center gap-3 text-text-2">
            <span className="shrink-0 text-ember-hi">{icon}</span>
            {t(text)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function greeting(hour: number): TextId {
  if (hour < 5 || hour >= 18) return 'matching.studio.evening'
  return hour < 12 ? 'matching.studio.morning' : 'matching.studio.day'
}

type Standing = Pick<
  ReturnType<typeof useOwnUser>,
  'is_verified' | 'verify_state' | 'avatar_status' | 'avatar_shown'
>

function getTitle({ is_verified, verify_state, avatar_status, avatar_shown }: Standing): TextId {
  if (!is_verified)
    return verify_state === 'checking'
      ? 'matching.studio.checking_title'
      : 'matching.studio.verify_title'
  if (avatar_shown) return 'matching.studio.ready'
  return avatar_status === 'pending'
    ? 'matching.studio.photo_pending_title'
    : 'matching.studio.photo_title'
}

function getText({ is_verified, verify_state, avatar_status, avatar_shown }: Standing): TextId {
  if (!is_verified) {
    if (verify_state === 'checking') return 'matching.studio.checking'
    return verify_state === 'declined' ? 'matching.studio.declined' : 'matching.studio.verify'
  }
  if (avatar_shown) return 'matching.studio.ready_text'
  return avatar_status === 'pending' ? 'matching.studio.photo_pending' : 'matching.studio.photo'
}
