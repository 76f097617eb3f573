import { createContext, use, type ReactNode } from 'react'
import { CallProvider } from '../../features/calls/call-context.tsx'
import type { CallScreenContext } from '../../features/calls/call-context.tsx'
import { ReceiptLines } from '../../shared/video/receipt-lines.tsx'
import { DeviceProvider } from '../../features/devices/device-context.tsx'
import { DeviceCheck } from '../../features/devices/check-tags.tsx'
import {
  DeviceButton,
  DeviceButtons,
  DevicePickers,
} from '../../features/devices/device-dialog.tsx'
import { OwnPicture } from '../../features/devices/own-picture.tsx'
import { SearchProvider } from '../../features/matchmaking/search-context.tsx'
import { LocalMediaProvider } from '../../shared/video/local-media.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { OwnUserProvider } from '../../shared/account/own-user.tsx'
import { ScreenPartsProvider } from '../../shared/video/screen-parts.tsx'
import type { VideoScreen } from './video-screen.ts'
import type { VideoRuntime } from './runtime.ts'

/** Search and calls in the form that screens use. The fixtures provide this form without a server. */
export interface Video extends Omit<VideoRuntime, 'engine' | 'leaveSearch'> {
  readonly engine: CallScreenContext['engine']
}

const VideoContext = createContext<Video | undefined>(undefined)

const SCREEN_PARTS = {
  OwnPicture,
  DeviceButton,
  DeviceButtons,
  DevicePickers,
  DeviceCheck,
  ReceiptLines,
}

/** The contexts of matchmaking, calls and devices. One runtime fills all of them. */
export function VideoProvider({ video, children }: { video: Video; children: ReactNode }) {
  const { calls, callCommands: commands, engine } = video
  return (
    <VideoContext value={video}>
      <OwnUserProvider user={useStore(video.me)}>
        <LocalMediaProvider media={video.media}>
          <DeviceProvider gate={video.gate}>
            <SearchProvider commands={video.searchCommands} matchmaking={video.matchmaking}>
              <CallProvider context={{ calls, commands, engine }}>
                <ScreenPartsProvider parts={SCREEN_PARTS}>{children}</ScreenPartsProvider>
              </CallProvider>
            </SearchProvider>
          </DeviceProvider>
        </LocalMediaProvider>
      </OwnUserProvider>
    </VideoContext>
  )
}

export function useVideo(): Video {
  const video = use(VideoContext)
  if (!video) throw new Error('Impossible: a screen of search or calls outside of VideoProvider')
  return video
}

export function useVideoScreen(): VideoScreen {
  return useStore(useVideo().screen)
}
