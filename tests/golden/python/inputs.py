import torch

torch.manual_seed(3)
batch = 4
class_ = 3
tokens = torch.randint(0, 20, (batch, 5))
mask = torch.randint(0, 2, (batch, 5)).to(torch.bool)
lambda_ = torch.randn((batch, class_, 8)).to(torch.bfloat16).requires_grad_()
value_3 = ((torch.arange(2 * 3, dtype=torch.float64) * 7.0 % 5.0 + -2.0) * 0.5).view((2, 3)).to(torch.float32)
value_4 = value_3.transpose(0, 1)
_2nd_input = torch.rand(())
value_6 = torch.ones((3,), dtype=torch.float64)
torch_ = value_6 * 2.5
args = (tokens, mask, lambda_, [value_3, value_4], _2nd_input, torch_, 0.5)

# torch.export.export(model, args, dynamic_shapes=dynamic_shapes)
dims = {
    "batch": torch.export.Dim("batch", min=2, max=64),
    "class": torch.export.Dim("class_"),
}
dynamic_shapes = ({0: dims["batch"]}, {0: dims["batch"]}, {0: dims["batch"], 1: dims["class"]}, [None, None], None, None, None)
