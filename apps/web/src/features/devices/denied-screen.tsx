import type { ReactNode } from 'react'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { Link } from 'react-router'
import { Button, buttonLook, cx } from '@duet/ui'
import { t, type TextId } from '../../shared/i18n.ts'
import { canCall, type MediaFailureKind } from '@duet/call-engine'
import { useDeviceGate } from './device-context.tsx'
import { useLocalMedia } from '../../shared/video/local-media.tsx'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { ScreenFrame } from '../../shared/video/screen-frame.tsx'

const words: Record<MediaFailureKind, { title: TextId; text: TextId | null }> = {
  denied: { title: 'video.denied.blocked', text: null },
  dismissed: { title: 'video.denied.dismissed', text: 'video.denied.dismissed_text' },
  denied_by_system: { title: 'video.denied.blocked', text: 'video.denied.system' },
  no_device: { title: 'video.denied.no_device', text: 'video.denied.no_device_text' },
  in_use: { title: 'video.denied.in_use', text: 'video.denied.in_use_text' },
  unsupported: { title: 'video.denied.unsupported', text: 'video.denied.unsupported_text' },
  unknown: { title: 'video.denied.no_device', text: 'video.denied.unknown_text' },
}

/** The camera is there, and the microphone is not. */
const MICROPHONE_WORDS: Partial<typeof words> = {
  denied: { title: 'video.denied.microphone_blocked', text: null },
  denied_by_system: {
    title: 'video.denied.microphone_blocked',
    text: 'video.denied.microphone_system',
  },
  no_device: {
    title: 'video.denied.microphone_missing',
    text: 'video.denied.microphone_missing_text',
  },
  in_use: { title: 'video.denied.microphone_in_use', text: 'video.denied.in_use_text' },
}

/**
 * Explains why the camera or the microphone cannot be used and what the user can do. Closes as soon as the browser
 * opens both.
 */
export function DeniedScreen({ wayOut }: { wayOut?: ReactNode }) {
  const gate = useDeviceGate()
  const { is_member } = useOwnUser()
  const { failure, permission } = useLocalMedia()
  const { busy, press: again } = usePress(() => gate.allow())
  const kind = canCall() ? (failure?.kind ?? 'unknown') : 'unsupported'
  const { title, text } =
    (failure?.device === 'microphone' ? MICROPHONE_WORDS[kind] : null) ?? words[kind]
  return (
    <ScreenFrame>
      <main className="mx-auto flex w-full max-w-[520px] flex-1 flex-col px-5 pb-[max(24px,env(safe-area-inset-bottom))] md:justify-center md:pb-24">
        <div className="flex-1 py-8 md:flex-none">
          {kind === 'denied' ? (
            <WhereToClick camera={permission.camera} microphone={permission.microphone} />
          ) : (
            <span className="flex size-24 items-center justify-center rounded-panel bg-ember-lo text-ember-hi">
              <VideoCameraSlashIcon size={48} weight="duotone" />
            </span>
          )}
        </div>
        <h1 tabIndex={-1} className="display-m outline-none">
          {t(title)}
        </h1>
        <p className="body mt-2 text-text-2" role="status">
          {t(text ?? `video.denied.${browserKind(navigator.userAgent)}`)}
        </p>
        <div className="mt-6 flex flex-col gap-2.5">
          {kind === 'unsupported' ? null : (
            <Button variant="primary" size={54} wide busy={busy} onClick={() => void again()}>
              {t('action.retry')}
            </Button>
          )}
          {wayOut ?? (
            <>
              {is_member ? (
                <Link to="/messenger/" className={buttonLook({ size: 54, wide: true })}>
                  {t('video.denied.write')}
                </Link>
              ) : null}
              <Button variant={is_member ? 'quiet' : undefined} size={54} wide onClick={gate.close}>
                {t('action.back')}
              </Button>
            </>
          )}
        </div>
      </main>
    </ScreenFrame>
  )
}

type Allowed = PermissionState | 'unknown'

/** The address bar as the browser draws it, with the switches that matter. Left to right, as address bars are. */
function WhereToClick({ camera, microphone }: { camera: Allowed; microphone: Allowed }) {
  return (
    <div aria-hidden dir="ltr" className="max-w-[340px]">
      <div className="note flex h-11 items-center gap-2.5 rounded-full bg-surface-3 px-1.5 text-text-2">
        <span className="flex size-8 items-center justify-center rounded-full bg-ember text-on-ember">
          <SlidersHorizontalIcon size={18} weight="bold" />
        </span>
        {location.host}
      </div>
      <div className="mt-3 w-fit min-w-[230px] rounded-menu bg-surface-1 p-4 shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-2)]">
        <Row
          icon={<VideoCameraIcon size={18} weight="fill" />}
          on={camera === 'granted'}
          text={t('device.camera')}
        />
        <Row
          icon={<MicrophoneIcon size={18} weight="fill" />}
          on={microphone === 'granted'}
          text={t('device.microphone')}
        />
      </div>
    </div>
  )
}

function Row({ icon, text, on }: { icon: ReactNode; text: string; on: boolean }) {
  return (
    <div className="ui flex min-h-9 items-center gap-2.5">
      {icon}
      <span className="flex-1">{text}</span>
      <span
        className={cx(
          'flex h-5 w-9 items-center rounded-full p-0.5',
          on ? 'justify-end bg-ok' : 'bg-surface-4',
        )}
      >
        <span className={cx('size-4 rounded-full', on ? 'bg-ok-lo' : 'bg-text-3')} />
      </span>
    </div>
  )
}

type BrowserKind = 'chromium' | 'firefox' | 'safari' | 'phone'

/**
 * The kind of browser, for the picture of "where to click". On phones every browser has the site's settings behind the
 * address.
 */
function browserKind(agent: string): BrowserKind {
  if (/android|iphone|ipad|mobile/i.test(agent)) return 'phone'
  if (/firefox/i.test(agent)) return 'firefox'
  return /safari/i.test(agent) && !/chrom|edg/i.test(agent) ? 'safari' : 'chromium'
}
