import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import type { DeviceKind, DeviceState, LocalMediaSnapshot } from '@duet/call-engine'
import { cx, Popover } from '@duet/ui'
import { t, type TextId } from '../../../../shared/i18n.ts'
import { DeviceButtons } from '../../../../shared/video/screen-parts.tsx'
import { useLocalMedia } from '../../../../shared/video/local-media.tsx'
import { SIGN } from './sign-look.ts'

const ICONS = { camera: VideoCameraSlashIcon, microphone: MicrophoneSlashIcon }
const DEVICES = { camera: 'cameras', microphone: 'microphones' } as const

const WORDS: Record<DeviceKind, Partial<Record<DeviceState, TextId>>> = {
  camera: {
    lost: 'video.call.camera_lost',
    refused: 'video.call.camera_lost',
    stalled: 'video.call.camera_stalled',
    paused: 'video.call.camera_paused',
  },
  microphone: {
    lost: 'video.call.microphone_lost',
    refused: 'video.call.microphone_lost',
    paused: 'video.call.microphone_paused',
  },
}

/** While the own camera or microphone delivers nothing against the user's wish. A press offers the other devices. */
export function DeviceSign({ kind }: { kind: DeviceKind }) {
  const media = useLocalMedia()
  const state = media[kind]
  const id = WORDS[kind][state]
  if (!id) return null
  const word = t(id)
  const isLost = state === 'lost' || state === 'refused'
  const Icon = ICONS[kind]
  return (
    <>
      <Popover
        title={word}
        align="start"
        className="w-[320px]"
        trigger={
          <button type="button" className={cx(SIGN, 'hit')}>
            <Icon size={18} weight="fill" className={isLost ? 'text-danger' : 'text-warn'} />
            {word}
            <CaretDownIcon size={14} weight="bold" />
          </button>
        }
      >
        <p className="note text-text-2">{advise(media, kind)}</p>
        <DeviceButtons kind={kind} />
      </Popover>
      {isLost && kind === 'camera' ? null : (
        <span role="status" className="sr-only">
          {word}
        </span>
      )}
    </>
  )
}

function advise(media: LocalMediaSnapshot, kind: DeviceKind): string {
  if (media[DEVICES[kind]].length === 0) return t(`video.lost.${kind}_none`)
  if (media[kind] === 'refused') return t('video.lost.refused')
  return t(`video.lost.${kind}`)
}
