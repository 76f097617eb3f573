import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { CameraIcon } from '@phosphor-icons/react/dist/csr/Camera'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { readFrame } from '../../shared/media/prepare-picture.ts'
import { useObjectUrl } from '../../shared/media/use-object-url.ts'

type CameraState = 'off' | 'asking' | 'on' | 'refused' | 'failed'

/** A picture by the camera of this device. Where it is refused or missing, a file is taken instead. */
export function SelfieCamera({
  picture,
  onPicture,
  fallback,
}: {
  picture: Blob | null
  onPicture: (picture: Blob) => void
  fallback: ReactNode
}) {
  const { video, state, start, stop, fail } = useCamera()
  const address = useObjectUrl(picture)
  const [isFile, setFile] = useState(false)
  if (isFile || state === 'refused')
    return (
      <div className="flex flex-col gap-3">
        {state === 'refused' ? (
          <p className="note text-text-2">{t('verification.camera_refused')}</p>
        ) : null}
        {fallback}
        <Button
          variant="quiet"
          className="self-start"
          onClick={() => (setFile(false), void start())}
        >
          {t('verification.use_camera')}
        </Button>
      </div>
    )
  const take = async () => {
    try {
      const taken = await readFrame(video.current!)
      stop()
      onPicture(taken)
    } catch {
      fail()
    }
  }
  const isLive = state === 'on'
  return (
    <div className="flex flex-col gap-3">
      <div className="relative aspect-[4/3] overflow-hidden rounded-row bg-surface-3">
        {/* Mirrored on the screen only: a hand moves where the user expects it. */}
        <video
          ref={video}
          muted
          playsInline
          autoPlay
          hidden={!isLive}
          className="absolute inset-0 size-full -scale-x-100 object-cover"
        />
        {!isLive && address ? (
          <img
            src={address}
            alt={t('verification.preview', { label: t('verification.selfie') })}
            className="absolute inset-0 size-full object-contain"
          />
        ) : null}
        {!isLive && !address ? (
          <span
            aria-hidden="true"
            className="absolute inset-0 flex items-center justify-center text-text-3"
          >
            <CameraIcon size={56} weight="duotone" />
          </span>
        ) : null}
      </div>
      <p role="alert" className="note text-text-2 empty:hidden">
        {state === 'failed' ? t('verification.camera_failed') : null}
      </p>
      <div className="flex flex-wrap gap-2">
        {isLive ? (
          <Button
            variant="primary"
            icon={<CameraIcon size={18} weight="fill" />}
            onClick={() => void take()}
          >
            {t('verification.take')}
          </Button>
        ) : (
          <Button
            variant={picture ? 'secondary' : 'primary'}
            busy={state === 'asking'}
            icon={<CameraIcon size={18} weight="fill" />}
            onClick={() => void start()}
          >
            {t(picture ? 'verification.take_again' : 'verification.open_camera')}
          </Button>
        )}
        <Button variant="quiet" onClick={() => (stop(), setFile(true))}>
          {t('verification.choose')}
        </Button>
      </div>
    </div>
  )
}

/** The camera is on only while this step shows it. */
function useCamera() {
  const video = useRef<HTMLVideoElement>(null)
  const stream = useRef<MediaStream | null>(null)
  const [state, setState] = useState<CameraState>('off')
  // Each start and stop has a number. If the browser answers after a later start or stop, the answer is ignored.
  const turn = useRef(0)
  const end = useCallback((next: CameraState) => {
    turn.current += 1
    for (const track of stream.current?.getTracks() ?? []) track.stop()
    stream.current = null
    setState(next)
  }, [])
  const stop = useCallback(() => end('off'), [end])
  const fail = useCallback(() => end('failed'), [end])
  const start = useCallback(async () => {
    end('asking')
    const own = turn.current
    const opened = await openCamera()
    if (own !== turn.current) return opened?.getTracks().forEach((track) => track.stop())
    if (!opened) return end('refused')
    stream.current = opened
    // A phone call takes the camera.
    for (const track of opened.getTracks()) track.onended = () => end('failed')
    try {
      video.current!.srcObject = opened
      await video.current!.play()
      if (own === turn.current) setState('on')
    } catch {
      if (own === turn.current) end('failed')
    }
  }, [end])
  useEffect(() => stop, [stop])
  return { video, state, start, stop, fail }
}

/** Undefined when the user or the device refuses. */
async function openCamera(): Promise<MediaStream | undefined> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 960 } },
    })
  } catch {
    return undefined
  }
}
