# GPT-2: Language Models are Unsupervised Multitask Learners, Radford et al., 2019.
# BERT: Pre-training of Deep Bidirectional Transformers, Devlin et al., 2018 (arXiv 1810.04805).


class GPTBlock:
    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.size(0), x.size(1), x.size(2)
        q, k, v = self.c_attn.forward(self.ln_1.forward(x)).split(width, dim=2)
        q = q.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        k = k.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        y = torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)
        y = y.transpose(1, 2).contiguous().view(batch, length, width)
        x = x + self.drop.forward(self.c_proj.forward(y))
        y = self.proj.forward(torch.gelu(self.fc.forward(self.ln_2.forward(x)), approximate="tanh"))
        return x + self.drop.forward(y)


class GPT:
    def forward(self, tokens: Tensor) -> Tensor:
        positions = torch.arange(0, tokens.size(1), device=tokens.device)
        x = self.wte.forward(tokens) + self.wpe.forward(positions)
        x = self.ln_f.forward(self.blocks.forward(self.drop.forward(x)))
        return torch.linear(x, self.wte.weight)


class BertLayer:
    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.size(0), x.size(1), x.size(2)
        q = self.query.forward(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        k = self.key.forward(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = self.value.forward(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        y = torch.scaled_dot_product_attention(q, k, v, None, 0.0, False)
        y = y.transpose(1, 2).reshape(batch, length, width)
        x = self.attention_norm.forward(x + self.drop.forward(self.attention_output.forward(y)))
        y = self.output.forward(torch.gelu(self.intermediate.forward(x)))
        return self.output_norm.forward(x + self.drop.forward(y))


class Bert:
    def forward(self, tokens: Tensor, segments: Tensor) -> Tuple[Tensor, Tensor]:
        positions = torch.arange(0, tokens.size(1), device=tokens.device)
        x = self.word.forward(tokens) + self.position.forward(positions) + self.segment.forward(segments)
        x = self.encoder.forward(self.drop.forward(self.norm.forward(x)))
        pooled = torch.tanh(self.pooler.forward(x.select(1, 0)))
        return x, pooled
