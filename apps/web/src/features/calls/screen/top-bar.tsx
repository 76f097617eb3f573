import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { SidebarSimpleIcon } from '@phosphor-icons/react/dist/csr/SidebarSimple'
import { SpeakerHighIcon } from '@phosphor-icons/react/dist/csr/SpeakerHigh'
import { Avatar, Button, cx, IconButton, Tag } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { formatCountry, formatPersonName } from '../../../shared/texts/person.ts'
import { useCallEngine, useEngineSnapshot } from '../call-context.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import type { RunningCall } from '../calls-state.ts'
import { CallSettings } from './call-settings.tsx'
import { DeviceSign } from './signs/device-sign.tsx'
import { FADES } from './fades.ts'
import { LikeInCall } from './like-in-call.tsx'
import { LineSign } from './signs/line-sign.tsx'
import { MeterPill } from './meter-pill.tsx'
import { FramesNote, SafetyButtons } from './safety-buttons.tsx'
import { SIGN } from './signs/sign-look.ts'
import { usePhone } from './use-phone.ts'

interface TopBarProps {
  call: RunningCall
  isPanelOpen: boolean
  onPanel: () => void
  onHelp: () => void
}

/**
 * The partner and the clock. On a phone the clock is below the partner, because the own picture has the other corner.
 */
export function TopBar({ call, isPanelOpen, onPanel, onHelp }: TopBarProps) {
  const isPhone = usePhone()
  return (
    <div
      className={cx(
        'pointer-events-none absolute inset-x-0 top-0 z-overlay flex gap-2.5 [&>*]:pointer-events-auto',
        isPhone
          ? 'flex-col items-start p-3 pt-[max(12px,env(safe-area-inset-top))] pe-[128px]'
          : 'items-center p-5',
      )}
    >
      <PartnerPill call={call} />
      {isPhone ? null : <span className="flex-1" />}
      <Signs call={call} />
      <span className="flex flex-wrap items-center gap-2.5">
        <MeterPill call={call} />
        {isPhone ? (
          <span className={cx('flex gap-2.5', FADES)}>
            <FramesNote call={call} />
            <SafetyButtons call={call} />
            <CallSettings onKeys={onHelp} />
          </span>
        ) : null}
      </span>
      {isPhone ? null : (
        <span className={cx('flex gap-2.5', FADES)}>
          <FramesNote call={call} />
          <SafetyButtons call={call} />
          <CallSettings onKeys={onHelp} />
          <IconButton
            variant="quiet"
            size={44}
            className={ON_PICTURE}
            label={t(isPanelOpen ? 'video.call.panel_hide' : 'video.call.panel_show')}
            aria-expanded={isPanelOpen}
            icon={<SidebarSimpleIcon size={20} className="-scale-x-100 rtl:scale-x-100" />}
            onClick={onPanel}
          />
        </span>
      )}
    </div>
  )
}

function PartnerPill({ call }: { call: RunningCall }) {
  const { user_interlocutor: person, state } = call.session
  const isPhone = usePhone()
  const country = person.country ? formatCountry(person.country) : null
  return (
    <div
      className={cx(
        'glass flex max-w-full min-w-0 items-center gap-3 rounded-full p-1.5',
        isPhone ? 'pe-6' : 'pe-2',
        FADES,
      )}
    >
      <Avatar
        name={person.nick}
        decorative
        src={person.avatar}
        size={44}
        session={{ state, text: t(`video.call.${state}`) }}
      />
      <div className="min-w-0">
        <h1 tabIndex={-1} className="ui truncate font-[600]! text-[1rem]! outline-none">
          <bdi>{formatPersonName(person)}</bdi>
        </h1>
        <p className="note truncate text-text/80">
          {country
            ? t('video.call.state_and_country', { state: t(`video.call.${state}`), country })
            : t(`video.call.${state}`)}
        </p>
      </div>
      {person.is_companion ? <Tag tone="warn">{t('demo.short')}</Tag> : null}
      {isPhone ? null : <LikeInCall call={call} />}
    </div>
  )
}

/** The current problems, while they last: a weak connection, a lost device, sound that the browser blocks. */
function Signs({ call }: { call: RunningCall }) {
  const engine = useCallEngine()
  const { playback_blocked } = useEngineSnapshot()
  return (
    <>
      {call.partner_media.audio ? null : (
        <span role="status" className={SIGN}>
          <MicrophoneSlashIcon size={18} weight="fill" />
          {t('video.call.partner_muted', { nick: call.session.user_interlocutor.nick })}
        </span>
      )}
      <LineSign call={call} />
      <DeviceSign kind="camera" />
      <DeviceSign kind="microphone" />
      {playback_blocked ? (
        <Button
          variant="primary"
          size={36}
          icon={<SpeakerHighIcon size={18} weight="fill" />}
          onClick={() => void engine.play()}
        >
          {t('video.call.sound_blocked')}
        </Button>
      ) : null}
    </>
  )
}
