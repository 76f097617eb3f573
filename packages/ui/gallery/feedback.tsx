import { ChatsCircleIcon } from '@phosphor-icons/react/dist/csr/ChatsCircle'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { Button } from '../src/controls/button.tsx'
import { Spinner } from '../src/controls/spinner.tsx'
import { Banner } from '../src/feedback/banner.tsx'
import { EmptyState } from '../src/feedback/empty-state.tsx'
import { LoadingBar } from '../src/feedback/loading-bar.tsx'
import { Skeleton } from '../src/feedback/skeleton.tsx'
import { Exhibit } from './exhibit.tsx'

export function Feedback() {
  return (
    <Exhibit title="Waiting, nothing and news" className="flex-col flex-nowrap! items-stretch!">
      <Banner
        icon={<WarningIcon weight="fill" size={18} />}
        action={<Button size={30}>Mark as read</Button>}
      >
        1 unread penalty
      </Banner>
      <Banner
        tone="danger"
        icon={<WifiSlashIcon weight="fill" size={18} />}
        close={{ label: 'Close', onPress: () => undefined }}
      >
        You're offline
      </Banner>
      <Banner tone="moon">The contest closes in 03:12</Banner>
      <LoadingBar label="Loading" />
      <LoadingBar label="Sending" value={0.4} />
      <div className="panel flex items-center gap-4 p-5">
        <Skeleton className="size-12 rounded-full!" />
        <span className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-2/3" />
        </span>
        <Spinner size={20} />
      </div>
      <div className="grid gap-3 md:grid-cols-2">
        <EmptyState
          className="panel"
          icon={<ChatsCircleIcon weight="duotone" size={40} />}
          title="No chats yet"
          text="Say your first hello."
          action={<Button variant="primary">Start</Button>}
        />
        <EmptyState
          className="panel"
          title="Nobody here yet"
          text="Tap a heart and she'll wait here for you."
        />
      </div>
    </Exhibit>
  )
}
