import { ArrowRightIcon } from '@phosphor-icons/react/dist/csr/ArrowRight'
import { CameraRotateIcon } from '@phosphor-icons/react/dist/csr/CameraRotate'
import { CoffeeIcon } from '@phosphor-icons/react/dist/csr/Coffee'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { PhoneDisconnectIcon } from '@phosphor-icons/react/dist/csr/PhoneDisconnect'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { CallControl, cx, Toolbar } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCallCommands } from '../call-context.tsx'
import { useLocalMedia, useMediaDevices } from '../../../shared/video/local-media.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { GiftControl } from '../../../shared/gifts/gift-button.tsx'
import { useNow } from '../../../shared/controls/use-time.ts'
import type { RunningCall } from '../calls-state.ts'
import { FADES } from './fades.ts'
import { usePhone, useSideways } from './use-phone.ts'

/** The controls within reach of a thumb. End stays when the other controls fade. */
export function Dock({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  const { role } = useOwnUser()
  const isPhone = usePhone()
  const isSideways = useSideways()
  const { cameras } = useLocalMedia()
  return (
    <Toolbar
      label={t('video.call.controls')}
      vertical={isSideways}
      className={cx(
        'isolate flex items-center gap-2',
        isSideways
          ? 'fixed inset-y-0 end-0 z-overlay flex-col justify-center gap-2.5 px-3'
          : isPhone
            ? 'relative w-full justify-between gap-2.5'
            : 'relative p-3',
      )}
    >
      {isPhone ? null : (
        <span aria-hidden className={cx('glass absolute inset-0 -z-1 rounded-full', FADES)} />
      )}
      <Microphone />
      {isPhone && cameras.length > 1 ? <Flip /> : <Camera />}
      {isPhone ? null : <AskPrivate call={call} />}
      {isPhone ? null : (
        <GiftControl
          person={call.session.user_interlocutor}
          session_id={call.session.id}
          className={FADES}
        />
      )}
      {!isPhone && role === 'girl' ? <BreakAfter call={call} /> : null}
      {call.session.kind === 'direct' ? null : <Next call={call} />}
      <CallControl
        tone="end"
        label={t('action.end_call')}
        icon={<PhoneDisconnectIcon size={26} weight="fill" />}
        disabled={call.leaving !== null}
        onClick={() => void commands.leave(role === 'girl' ? 'break' : 'end')}
      />
    </Toolbar>
  )
}

/** A direct call comes from no search, so no person follows. */
function Next({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  const isPhone = usePhone()
  const isSideways = useSideways()
  return (
    <CallControl
      tone="next"
      label={t('action.next')}
      text={isSideways ? undefined : t('action.next')}
      icon={<ArrowRightIcon size={20} weight="bold" className="rtl:-scale-x-100" />}
      disabled={call.leaving !== null}
      onClick={() => void commands.leave('next')}
      className={cx(FADES, isPhone && !isSideways && 'flex-1')}
    />
  )
}

function Microphone() {
  const media = useMediaDevices()
  const { microphone } = useLocalMedia()
  const isPhone = usePhone()
  const off = microphone !== 'on'
  return (
    <CallControl
      label={t('video.call.mute')}
      off={off}
      icon={<MicrophoneIcon size={24} weight="fill" />}
      offIcon={<MicrophoneSlashIcon size={24} weight="fill" />}
      onClick={() => media.setMicrophone(off)}
      className={cx(FADES, !off && isPhone && ON_PICTURE)}
    />
  )
}

export function Camera({ className }: { className?: string }) {
  const media = useMediaDevices()
  const { camera } = useLocalMedia()
  const isPhone = usePhone()
  const off = camera !== 'on' && camera !== 'stalled'
  return (
    <CallControl
      label={t('video.call.camera_off')}
      off={off}
      icon={<VideoCameraIcon size={24} weight="fill" className="mirror" />}
      offIcon={<VideoCameraSlashIcon size={24} weight="fill" />}
      onClick={() => void media.setCamera(off)}
      className={cx(FADES, !off && isPhone && ON_PICTURE, className)}
    />
  )
}

function Flip() {
  const media = useMediaDevices()
  return (
    <CallControl
      label={t('video.call.flip')}
      icon={<CameraRotateIcon size={24} weight="fill" />}
      onClick={() => void media.flip()}
      className={cx(FADES, ON_PICTURE)}
    />
  )
}

/** Absent in a private call. Disabled for a minute after a decline. */
export function AskPrivate({ call, className }: { call: RunningCall; className?: string }) {
  const commands = useCallCommands()
  const nowMs = useNow(1000, call.ask_again_at_ms > 0)
  if (call.session.state === 'private') return null
  const isAsking = call.own_ask !== null && nowMs < call.own_ask.expires_at_ms
  return (
    <CallControl
      label={t(isAsking ? 'video.call.asking' : 'action.ask_private')}
      icon={<LockSimpleIcon size={24} weight="fill" />}
      disabled={isAsking || nowMs < call.ask_again_at_ms}
      onClick={() => void commands.askPrivate()}
      className={cx(FADES, className)}
    />
  )
}

export function BreakAfter({ call, className }: { call: RunningCall; className?: string }) {
  const commands = useCallCommands()
  const isSet = call.session.break_set === true
  return (
    <CallControl
      label={t('video.call.break_on')}
      off={isSet}
      icon={<CoffeeIcon size={24} weight="fill" />}
      onClick={() => void commands.setBreak(!isSet)}
      className={cx(FADES, className)}
    />
  )
}
