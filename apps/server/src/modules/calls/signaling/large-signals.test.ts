import { ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { story } from '@duet/testkit/test-app.ts'

const CANDIDATES_MAX = 50

story(
  'ten thousand candidates and a description of a megabyte disturb no other user',
  async ({ testApp, boris, anna }) => {
    const { session_id, session_guid, connect, talk } = await inCall(testApp, {
      guy: boris,
      girl: anna,
    })
    await connect()
    const named = { session_id, session_guid }
    const before = anna.signaling!.heard.length
    for (let port = 1; port <= 10_000; port += 1)
      boris.signal('WEBRTC_SIGNAL', {
        ...named,
        type_signal: 'ice-candidate',
        data: { candidate: `candidate:1 1 udp 1 192.0.2.1 ${port} typ host` },
      })
    await testApp.settle()
    const received = anna
      .signaling!.heard.slice(before)
      .filter(({ event }) => event === 'peer_signal')
    ok(received.length <= CANDIDATES_MAX, `${received.length} candidates arrived`)
    await boris.openSignal()
    boris.signal('JOIN_SESSION', named)
    boris.signal('WEBRTC_SIGNAL', {
      ...named,
      type_signal: 'offer',
      data: { type: 'offer', sdp: `v=0\r\n${'a=x\r\n'.repeat(210_000)}` },
    })
    await anna.signalNotHeard('peer_signal', { type_signal: 'offer' })
    await talk(2)
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'still here' })
    await anna.heard('text_chat_message', { text: 'still here' }, {})
  },
)
