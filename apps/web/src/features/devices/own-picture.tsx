import { useEffect, useRef } from 'react'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { cx } from '@duet/ui'
import { useLocalMedia, useMediaDevices } from '../../shared/video/local-media.tsx'
import { useOwnUser } from '../../shared/video/own-user.tsx'

/** Oneself, mirrored as in a mirror; the own portrait or a sign while the camera is off. Fills what it lies in. */
export function OwnPicture({ dimmed }: { dimmed?: boolean }) {
  const media = useMediaDevices()
  const { avatar } = useOwnUser()
  const { video_track, facing } = useLocalMedia()
  const element = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (element.current) element.current.srcObject = video_track ? media.preview : null
  }, [media, video_track])
  return (
    <>
      {video_track ? null : <Poster avatar={avatar} isOff={media.getSnapshot().status === 'on'} />}
      <video
        ref={element}
        autoPlay
        muted
        playsInline
        disablePictureInPicture
        aria-hidden
        data-own-picture
        className={cx(
          'absolute inset-0 size-full object-cover',
          facing !== 'environment' && '-scale-x-100',
          !video_track && 'invisible',
          dimmed && 'brightness-[.45] saturate-[.5]',
        )}
      />
    </>
  )
}

function Poster({ avatar, isOff }: { avatar: string | null; isOff: boolean }) {
  const Icon = isOff ? VideoCameraSlashIcon : UserIcon
  return (
    <span className="absolute inset-0 flex items-center justify-center bg-moon-lo text-moon">
      {avatar && !isOff ? (
        <img
          src={avatar}
          alt=""
          className="absolute inset-0 size-full object-cover brightness-75"
        />
      ) : (
        <Icon size={40} className="opacity-70" />
      )}
    </span>
  )
}
