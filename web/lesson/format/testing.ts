/** The smallest valid front matter, with which the tests' lessons begin. */
export const FRONT_MATTER = `---
title: A lesson
question: Why?
minutes: { self: 5, lecture: 3 }
levels: [responding]
cards: [softirq]
runs:
  small: { recording: udp-small }
teacher:
  goal: A goal.
  prerequisites: [none]
  can_predict: [the way]
  misconceptions:
    - { belief: No., question: where, option: 1 }
  discuss: [What?]
  board: A line.
---
`;
