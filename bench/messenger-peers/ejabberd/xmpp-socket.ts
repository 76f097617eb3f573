import { connect } from 'node:net'

/** XMPP over a bare TCP socket, as little of it as a load needs: it knows the stanzas that this bench causes and no others. */
export interface XmppSocket {
  /** Sends a text to a user; resolves when the server acknowledges it (XEP-0198). */
  send(to: string, text: string): Promise<void>
  /** Hears every text that this user receives. */
  onReceived: (() => void) | undefined
  close(): void
}

interface LogIn {
  readonly port: number
  readonly host: string
  readonly user: string
  readonly password: string
}

/** Logs in by SASL PLAIN, binds a resource, is present and has acknowledgements of stanzas. */
export async function connectXmpp({ port, host, user, password }: LogIn): Promise<XmppSocket> {
  const tcp = connect({ port, host: '127.0.0.1', noDelay: true })
  let rest = ''
  /** Stanzas that this side has sent, and received, since acknowledgements are on. */
  let sent = 0
  let received = 0
  const waiting: { readonly sent: number; readonly done: () => void }[] = []
  let hear: ((text: string) => void) | undefined
  const fail = { now: (_: Error) => {} }
  tcp.setEncoding('utf8')
  tcp.on('error', () => {})
  tcp.on('close', () => fail.now(new Error(`ejabberd closed the connection: ${rest}`)))

  /** Until the server has said this. */
  const said = (text: string, word: string) =>
    new Promise<void>((resolve, reject) => {
      fail.now = reject
      hear = () => {
        if (!rest.includes(word)) return
        rest = ''
        resolve()
      }
      tcp.write(text)
    })
  tcp.on('data', (text: string) => {
    rest += text
    hear?.(text)
  })
  const open = `<stream:stream to='${host}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`
  const plain = Buffer.from(`\0${user}\0${password}`).toString('base64')
  await said(`<?xml version='1.0'?>${open}`, '</stream:features>')
  await said(
    `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${plain}</auth>`,
    '<success',
  )
  await said(open, '</stream:features>')
  await said(
    `<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bench</resource></bind></iq>`,
    '</iq>',
  )
  await said(`<enable xmlns='urn:xmpp:sm:3'/>`, '<enabled')

  const socket: XmppSocket = {
    onReceived: undefined,
    send(to, text) {
      sent += 1
      tcp.write(
        `<message to='${to}@${host}' type='chat' id='${crypto.randomUUID()}'><body>${text}</body></message><r xmlns='urn:xmpp:sm:3'/>`,
      )
      return new Promise((done, reject) => {
        fail.now = reject
        waiting.push({ sent, done })
      })
    },
    close: () => tcp.destroy(),
  }
  hear = () => {
    rest = readStanzas(rest, {
      acknowledged(count) {
        while (waiting.length > 0 && waiting[0]!.sent <= count) waiting.shift()!.done()
      },
      asked: () => tcp.write(`<a xmlns='urn:xmpp:sm:3' h='${received}'/>`),
      stanza(name) {
        received += 1
        if (name === 'message') socket.onReceived?.()
      },
    })
  }
  sent += 1
  tcp.write('<presence/>')
  return socket
}

/** The end of a stanza, or a question or answer about them. */
const ENDS =
  /<\/(?<ended>message|presence|iq)>|<(?:presence|iq) [^>]*\/>|<a [^>]*h='(?<count>\d+)'[^>]*\/>|<(?<asks>r) [^>]*\/>/g

interface Heard {
  acknowledged(count: number): void
  asked(): void
  stanza(name: string): void
}

/** Hands over what is whole and answers what is left. A text of this bench contains no markup. */
function readStanzas(text: string, heard: Heard): string {
  let at = 0
  for (const { groups, index, 0: found } of text.matchAll(ENDS)) {
    at = index + found.length
    if (groups!.count !== undefined) heard.acknowledged(Number(groups!.count))
    else if (groups!.asks !== undefined) heard.asked()
    else heard.stanza(groups!.ended ?? '')
  }
  return text.slice(at)
}
