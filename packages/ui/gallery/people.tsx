import { useState } from 'react'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Button } from '../src/controls/button.tsx'
import { Amount } from '../src/figures/amount.tsx'
import { Ring } from '../src/figures/ring.tsx'
import { StatTile } from '../src/figures/stat-tile.tsx'
import { WalletPill } from '../src/figures/wallet-pill.tsx'
import { Avatar } from '../src/people/avatar.tsx'
import { MessageBubble, TypingDots } from '../src/people/message-bubble.tsx'
import { PetalPair } from '../src/people/petal-pair.tsx'
import { Sheen } from '../src/people/sheen.tsx'
import { Exhibit } from './exhibit.tsx'

export function People() {
  return (
    <>
      <Pairs />
      <Faces />
      <Bubbles />
    </>
  )
}

function Pairs() {
  const [meeting, setMeeting] = useState<'apart' | 'together'>('together')
  return (
    <Exhibit title="Two lights" className="scene-glow gap-8 rounded-panel p-8">
      <PetalPair
        hers={{ light: 'ember' }}
        yours={{ light: 'moon' }}
        meeting={meeting}
        className="max-w-[260px]"
      />
      <PetalPair
        layout="search"
        hers={{
          light: 'ember',
          icon: <UserIcon size={40} className="opacity-60" />,
          children: <Sheen />,
        }}
        yours={{ light: 'moon' }}
        className="max-w-[300px]"
      />
      <PetalPair
        layout="story"
        overlap="ring"
        hers={{ light: 'ember' }}
        yours={{ light: 'moon' }}
        className="max-w-40"
      />
      <Button
        size={36}
        variant="glass"
        onClick={() => setMeeting(meeting === 'apart' ? 'together' : 'apart')}
      >
        {meeting === 'apart' ? 'Meet' : 'Part'}
      </Button>
    </Exhibit>
  )
}

function Faces() {
  const [diamonds, setDiamonds] = useState(128)
  return (
    <Exhibit title="Faces and figures" className="gap-5">
      <Avatar name="Sofia Marques" size={64} presence={{ state: 'online', text: 'online' }} />
      <Avatar name="Mira" presence={{ state: 'call', text: 'in a call' }} />
      <Avatar name="Lena" size={40} />
      <Avatar name="Zoe" session={{ state: 'private', text: 'private call' }} />
      <Avatar name="Noor" session={{ state: 'public', text: 'public call' }} />
      <Amount kind="diamond" value="128" label="128 diamonds" />
      <Amount kind="coin" value="27,480" label="27,480 coins" />
      <Amount kind="coin" value="+25" label="25 coins earned" tone="gold" size={14} />
      <WalletPill
        label="Add minutes"
        plus
        onClick={() => setDiamonds((now) => now - 11)}
        amounts={[
          {
            kind: 'diamond',
            value: String(diamonds),
            label: `${diamonds} diamonds`,
            low: diamonds < 5,
          },
          { kind: 'message', value: '40', label: '40 messages' },
        ]}
      />
      <WalletPill
        label="Withdraw"
        amounts={[{ kind: 'coin', value: '214,800', label: '214,800 coins' }]}
      />
      <span className="flex w-full flex-wrap items-center gap-4">
        <Ring value={0.62} tone="ok" size={54}>
          6
        </Ring>
        <Ring value={0.3} tone="ice" size={54}>
          <Amount kind="diamond" value="" label="paid" />
        </Ring>
        <Ring value={0.8} tone="ember" size={44}>
          9
        </Ring>
        <Ring value={0.2} tone="warn" size={44}>
          1
        </Ring>
        <Ring value={0.62} tone="gold" size={84} label="12 days">
          12
        </Ring>
        <span className="meta inline-flex items-center gap-1.5 text-text-3">
          <Ring value={0.7} size={15} line={2} /> Vanishes in 42 min
        </span>
      </span>
      <StatTile
        label="Average chat"
        value="6:42"
        change={{ text: '18% on last week', trend: 'up' }}
        className="min-w-48 flex-1"
      />
      <StatTile
        label="Missed"
        value="3"
        change={{ text: '2 more', trend: 'down' }}
        className="min-w-48 flex-1"
      />
    </Exhibit>
  )
}

function Bubbles() {
  const vanishing = (
    <span className="inline-flex items-center gap-1.5">
      <Ring value={0.7} size={15} line={2} /> Vanishes in 42 min
    </span>
  )
  return (
    <Exhibit title="Bubbles" className="flex-col flex-nowrap! items-stretch!">
      <MessageBubble own={false} tail={false}>
        A partner's message
      </MessageBubble>
      <MessageBubble own={false} time="20:58" notes={vanishing}>
        The kiln opens tomorrow. I am nervous like before an exam.
      </MessageBubble>
      <MessageBubble own withheld={false} state={{ kind: 'sending', text: 'sending' }}>
        Sending
      </MessageBubble>
      <MessageBubble own state={{ kind: 'sent', text: 'sent' }} time="21:10">
        Nine is perfect. I'll bring coffee, you bring the blue one.
      </MessageBubble>
      <MessageBubble
        own
        state={{ kind: 'read', text: 'read' }}
        time="Read 21:09"
        notes={<Amount kind="coin" value="+25" label="25 coins earned" tone="gold" size={14} />}
      >
        Read and rewarded
      </MessageBubble>
      <MessageBubble
        own
        state={{ kind: 'failed', text: 'not sent' }}
        retry={{ label: 'Tap to try again', onPress: () => undefined }}
      >
        Not sent
      </MessageBubble>
      <MessageBubble own={false} withheld>
        Photo removed, it broke the rules
      </MessageBubble>
      <MessageBubble own={false} time="21:11">
        مرحبًا، كيف كان يومك؟
      </MessageBubble>
      <span className="note inline-flex items-center gap-2 text-text-3">
        <TypingDots /> Sofia is typing
      </span>
    </Exhibit>
  )
}
