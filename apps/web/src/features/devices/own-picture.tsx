import { useLayoutEffect, useRef } from 'react'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { cx } from '@duet/ui'
import { useLocalMedia, useMediaDevices } from '../../shared/video/local-media.tsx'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { getOwnVideo } from './own-video.ts'

/**
 * The user's own picture, mirrored if the user likes it so. The picture fills its container. The portrait or an icon replaces the picture while
 * the camera is off. The same happens while another container shows the only video element.
 */
export function OwnPicture({ dimmed }: { dimmed?: boolean }) {
  const media = useMediaDevices()
  const { avatar } = useOwnUser()
  const { video_track, status } = useLocalMedia()
  const container = useRef<HTMLSpanElement>(null)
  // A layout effect gives the element back before React removes the container from the document.
  useLayoutEffect(
    () => (container.current ? getOwnVideo(media).showIn(container.current) : undefined),
    [media],
  )
  return (
    <>
      <Poster avatar={avatar} isOff={status === 'on' && !video_track} />
      <span ref={container} className={cx('absolute inset-0', !video_track && 'invisible')} />
      {dimmed ? <span aria-hidden className="absolute inset-0 bg-[rgb(15_11_10/.6)]" /> : null}
    </>
  )
}

function Poster({ avatar, isOff }: { avatar: string | null; isOff: boolean }) {
  const Icon = isOff ? VideoCameraSlashIcon : UserIcon
  return (
    <span className="absolute inset-0 flex items-center justify-center bg-moon-lo text-moon">
      {avatar && !isOff ? (
        <>
          <img src={avatar} alt="" className="absolute inset-0 size-full object-cover" />
          <span className="absolute inset-0 bg-[rgb(15_11_10/.25)]" />
        </>
      ) : (
        <Icon size={40} className="opacity-70" />
      )}
    </span>
  )
}
