import { COMPANION_LINES, DEMO_LINE } from './lines.ts'

const GREET_AFTER_MS = 1500
const READ_MS = 900
const TYPE_MS = 2200

export interface ConversationParts {
  after(ms: number, work: () => unknown): void
  type(): Promise<unknown>
  say(text: string): Promise<unknown>
}

/** The texts of a companion in a call. Texts that arrive while a line is typed get one answer. */
export class Conversation {
  readonly #lines: (typeof COMPANION_LINES)[string]
  readonly #parts: ConversationParts
  #answers = 0
  #isTyping = false
  #hasBegun = false

  constructor(name: string, parts: ConversationParts) {
    this.#lines = COMPANION_LINES[name]!
    this.#parts = parts
  }

  /** The partner sees a picture. The first line says that this is the demo. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#parts.after(GREET_AFTER_MS, async () => {
      await this.#parts.say(DEMO_LINE)
      this.#write(this.#lines.hello)
    })
  }

  answer(text: string): void {
    const { questions, answers } = this.#lines
    const lines = text.includes('?') ? questions : answers
    if (this.#write(lines[this.#answers % lines.length]!)) this.#answers += 1
  }

  becamePrivate(): void {
    this.#write(this.#lines.private)
  }

  /** False while another line is typed. */
  #write(line: string): boolean {
    if (this.#isTyping) return false
    this.#isTyping = true
    const { after, type, say } = this.#parts
    after(READ_MS, () => {
      after(TYPE_MS, async () => {
        this.#isTyping = false
        await say(line)
      })
      return type()
    })
    return true
  }
}
