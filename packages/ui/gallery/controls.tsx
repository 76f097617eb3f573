import { useState } from 'react'
import { ArrowRightIcon } from '@phosphor-icons/react/dist/csr/ArrowRight'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { PhoneDisconnectIcon } from '@phosphor-icons/react/dist/csr/PhoneDisconnect'
import { SealCheckIcon } from '@phosphor-icons/react/dist/csr/SealCheck'
import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { Button } from '../src/controls/button.tsx'
import type { ButtonSize } from '../src/controls/button-look.ts'
import { CallControl } from '../src/controls/call-control.tsx'
import { Chip, ChipRow } from '../src/controls/chip.tsx'
import { IconButton } from '../src/controls/icon-button.tsx'
import { KeyCap } from '../src/controls/key-cap.tsx'
import { Segment, Tabs } from '../src/controls/segment.tsx'
import { Tag } from '../src/controls/tag.tsx'
import { Ring } from '../src/figures/ring.tsx'
import { Exhibit } from './exhibit.tsx'

const sizes: ButtonSize[] = [30, 36, 44, 54, 62]

export function Controls() {
  return (
    <>
      <Buttons />
      <Choices />
      <CallControls />
    </>
  )
}

function Buttons() {
  return (
    <Exhibit title="Buttons">
      <Button variant="primary">Say hello</Button>
      <Button variant="primary" busy>
        Say hello
      </Button>
      <Button variant="primary" busy icon={<VideoCameraIcon size={18} weight="fill" />}>
        Sending
      </Button>
      <Button disabled>Disabled</Button>
      <Button>Secondary</Button>
      <Button variant="quiet" end={<ArrowRightIcon size={16} className="mirror" />}>
        Quiet
      </Button>
      <Button variant="outline">Outline</Button>
      <Button variant="gold" icon={<CrownSimpleIcon size={18} weight="fill" />}>
        Premium
      </Button>
      <Button variant="danger">End session</Button>
      <Button variant="danger-quiet">Delete</Button>
      <Button variant="glass">Glass</Button>
      <IconButton label="Add to favourites" icon={<HeartIcon size={20} />} />
      <IconButton
        label="Add to favourites"
        size={36}
        variant="secondary"
        icon={<HeartIcon size={18} />}
      />
      <span className="flex w-full flex-wrap items-center gap-3">
        {sizes.map((size) => (
          <Button
            key={size}
            size={size}
            variant="primary"
            icon={<VideoCameraIcon weight="fill" size={size / 3 + 4} />}
          >
            Start
          </Button>
        ))}
        <Button
          variant="primary"
          size={62}
          className="pe-3!"
          end={
            <Ring value={0.7} tone="current" size={42} line={3.5} glide_ms={0}>
              7
            </Ring>
          }
        >
          Say hello
        </Button>
      </span>
    </Exhibit>
  )
}

function Choices() {
  const [filter, setFilter] = useState('All')
  const [view, setView] = useState<'today' | 'week' | 'month'>('today')
  const [sex, setSex] = useState<'man' | 'woman' | null>(null)
  const [tab, setTab] = useState<'minutes' | 'messages'>('minutes')
  return (
    <Exhibit title="Chips, segments and tags">
      <ChipRow label="Filter" className="w-full">
        {['All', 'Unread', 'Favourites', 'Premium guests', 'Away for long'].map((name) => (
          <Chip key={name} selected={filter === name} onClick={() => setFilter(name)}>
            {name}
          </Chip>
        ))}
        <Chip icon={<TranslateIcon size={16} className="text-ember-hi" />}>Translate</Chip>
      </ChipRow>
      <Segment
        label="Period"
        value={view}
        onChange={setView}
        options={[
          { value: 'today', label: 'Today' },
          { value: 'week', label: 'Week' },
          { value: 'month', label: 'Month' },
        ]}
      />
      <Segment
        label="I am a"
        wide
        size={48}
        value={sex}
        onChange={setSex}
        options={[
          { value: 'man', label: 'Man' },
          { value: 'woman', label: 'Woman' },
        ]}
      />
      <Tabs
        label="What to buy"
        value={tab}
        onChange={setTab}
        options={[
          { value: 'minutes', label: 'Minutes', panel: <p className="body">A panel of minutes</p> },
          {
            value: 'messages',
            label: 'Messages',
            panel: <p className="body">A panel of messages</p>,
          },
        ]}
      />
      <span className="flex w-full flex-wrap gap-2">
        <Tag tone="ok" icon={<CheckIcon size={13} weight="bold" />}>
          Success
        </Tag>
        <Tag tone="warn" icon={<ClockIcon size={13} weight="bold" />}>
          Waiting
        </Tag>
        <Tag tone="danger" icon={<XIcon size={13} weight="bold" />}>
          Declined
        </Tag>
        <Tag tone="gold" icon={<CrownSimpleIcon size={14} weight="fill" />}>
          Top
        </Tag>
        <Tag tone="moon">New</Tag>
        <Tag tone="ice" icon={<SealCheckIcon size={14} weight="fill" />}>
          Verified
        </Tag>
        <Tag tone="ember">In a call</Tag>
        <Tag>Português</Tag>
        <Tag size={28}>Türkiye</Tag>
        <KeyCap>Enter</KeyCap>
        <KeyCap>Esc</KeyCap>
      </span>
    </Exhibit>
  )
}

function CallControls() {
  const [muted, mute] = useState(false)
  const [dark, darken] = useState(true)
  return (
    <Exhibit title="Call controls, always dark">
      <span
        data-theme="dark"
        className="on-video glass flex flex-wrap items-center gap-2.5 rounded-[44px] p-3"
      >
        <CallControl
          label="Mute the microphone"
          off={muted}
          onClick={() => mute(!muted)}
          icon={<MicrophoneIcon weight="fill" size={24} />}
          offIcon={<MicrophoneSlashIcon weight="fill" size={24} />}
        />
        <CallControl
          label="Turn the camera off"
          off={dark}
          onClick={() => darken(!dark)}
          icon={<VideoCameraIcon weight="fill" size={24} className="mirror" />}
          offIcon={<VideoCameraSlashIcon weight="fill" size={24} className="mirror" />}
        />
        <CallControl label="Send a gift" tone="gift" icon={<GiftIcon weight="fill" size={24} />} />
        <CallControl
          label="Next person"
          tone="next"
          text="Next"
          icon={<ArrowRightIcon size={20} weight="bold" className="mirror" />}
        />
        <CallControl
          label="End the call"
          tone="end"
          icon={<PhoneDisconnectIcon weight="fill" size={24} />}
        />
        <Ring value={0.6} tone="ok" size={48} glide_ms={0}>
          6
        </Ring>
      </span>
    </Exhibit>
  )
}
